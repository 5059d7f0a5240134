"""Records: tables drawn up from texts, questions put to them, and the choice between both."""
