// Runs before the page is drawn, so that a remembered theme does not flash.
const root = document.documentElement;
root.classList.add('js');
try {
  const theme = localStorage.getItem('project-map-theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
} catch {
  // There is no storage: the theme of the system stays.
}
