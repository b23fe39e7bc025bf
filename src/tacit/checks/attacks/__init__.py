"""What goes wrong, kept where it can be attacked and never where it could be used."""
