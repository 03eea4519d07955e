"""From a trial to something that runs by itself: bundle, verification, wheelhouse, report."""
