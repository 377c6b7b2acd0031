import { byId } from './dom';

const names = { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' } as const;
type Theme = keyof typeof names;

export function initTheme() {
  const button = byId('theme');
  const root = document.documentElement;
  if (!button) return;
  const current = (): Theme => (root.dataset.theme as Theme | undefined) ?? 'auto';
  const show = () => {
    button.textContent = names[current()];
    button.setAttribute('title', 'Change between the theme of the system, light and dark');
  };
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    const next: Theme = { auto: 'light', light: 'dark', dark: 'auto' }[current()] as Theme;
    if (next === 'auto') delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      if (next === 'auto') localStorage.removeItem('project-map-theme');
      else localStorage.setItem('project-map-theme', next);
    } catch {
      // There is no storage: the choice holds for this page.
    }
    show();
  });
}
