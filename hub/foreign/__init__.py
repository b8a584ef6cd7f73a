"""What foreign boxes told, drawn and judged in a process of its own."""
