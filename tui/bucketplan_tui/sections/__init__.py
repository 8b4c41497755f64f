"""What commands and screens say of a thing, section by section."""
