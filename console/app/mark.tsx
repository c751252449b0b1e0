/** The mark of Mien: the corners of a face box. */
export const Mark = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M5 12V9a4 4 0 0 1 4-4h3M20 5h3a4 4 0 0 1 4 4v3M27 20v3a4 4 0 0 1-4 4h-3M12 27H9a4 4 0 0 1-4-4v-3" />
    <circle cx="16" cy="16" r="4" />
  </svg>
)
