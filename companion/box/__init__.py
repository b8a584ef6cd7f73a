"""The service on the box: wires the table to dice, camera and pages; settings, photographs, doctor."""
