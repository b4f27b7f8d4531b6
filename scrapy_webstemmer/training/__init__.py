"""Learn in a process of its own, while a crawl ends: which sites need it, the task, and the process."""
