/** Applies the chosen theme before the browser shows the page. It is a classic script, because modules run later. */
try {
  const theme = localStorage.getItem('mien.theme')
  if (theme !== null) document.documentElement.dataset.theme = theme
} catch {
  // A browser without storage shows the theme of the system.
}
