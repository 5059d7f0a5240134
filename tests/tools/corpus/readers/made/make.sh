#!/usr/bin/env bash
# Makes the files of `formats/`, and `remarks`, again: by pandoc 2.17, LibreOffice 7.4 and Tesseract 5.3 of Debian 12.
set -euo pipefail
cd "$(dirname "$0")/formats"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
office() { soffice --headless "-env:UserInstallation=file://$work/office" "$@" > /dev/null; }

cat > barn.html <<'EOF'
<!DOCTYPE html>
<html><head><title>Lease of the north barn</title><meta name="author" content="Ann Lee"></head>
<body><h1>Lease of the north barn</h1>
<p>Ann Lee lets the north barn to Bob Moss from 1 April 2021. The rent is 900 pounds a month.</p>
<h2 style="page-break-before: always">Deposit</h2>
<p>The tenant pays a deposit of 1,350 pounds. The landlord returns it within a month.</p>
</body></html>
EOF
printf 'Room,Deposit\nHall,a deposit of 300 pounds\nLoft,none\n' > rooms.csv
cp barn.html "$work/page.html"
office --infilter="HTML (StarWriter)" --convert-to odt --outdir . barn.html
for form in docx rtf pdf; do office --convert-to $form --outdir . barn.odt; done
for form in xlsx xls ods; do office --convert-to $form --outdir . rooms.csv; done
pandoc barn.html -o barn.epub
pandoc barn.html -t rst -o barn.rst
pandoc -s barn.html -t markdown -o barn.md
pandoc --slide-level=2 barn.html -o barn.pptx
office --convert-to odp --outdir . barn.pptx
"${PYTHON:-python3}" - <<'EOF'
from pypdfium2 import PdfDocument

pages = [page.render(scale=150 / 72, grayscale=True).to_pil() for page in PdfDocument("barn.pdf")]
black = [page.convert("1") for page in pages]
black[0].save("fax.tiff", save_all=True, append_images=black[1:], compression="group4", dpi=(150, 150))
black[0].save("scan.pdf", save_all=True, append_images=black[1:], resolution=150)
small = pages[1].crop((0, 0, pages[1].width, 400))
for form, how in (("png", {}), ("jpg", {"quality": 60}), ("webp", {"quality": 60})):
    small.save(f"photo-{form}.{form}", **how)
EOF
"${PYTHON:-python3}" - "$work/remarks.xlsx" <<'EOF'
import sys

import xlsxwriter

with xlsxwriter.Workbook(sys.argv[1]) as book:
    sheet = book.add_worksheet("One")
    for number, row in enumerate((("Name", "Rent"), ("Ann", 1200.5), ("Bob", 900))):
        sheet.write_row(number, 0, row)
    sheet.write_comment(1, 1, "Check this rent with Eve")
    sheet.insert_textbox(5, 3, "A box that says renewals are off")
EOF
for form in xls ods; do office --convert-to $form --outdir .. "$work/remarks.xlsx"; done
OMP_THREAD_LIMIT=1 tesseract fax.tiff searchable pdf
rm -f rooms.csv.bak
