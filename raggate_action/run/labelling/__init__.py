"""What people say: labels made of good runs and at a terminal, and judges put on trial by them."""
