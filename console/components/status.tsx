/** A line that says what the page is doing. Screen readers read it out. */
export const Status = ({ text }: { text: string }) => (
  <p class="status" role="status">
    <span class="dots" aria-hidden="true" />
    {text}
  </p>
)
