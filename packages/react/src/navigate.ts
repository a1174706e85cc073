/** Navigates the browser to a URL. */
export function navigate(address: string): void {
  const { href } = new URL(address, location.href)
  location.href = address
  // Navigating to a fragment of the current page takes effect at once, and does not reload it.
  if (href.includes('#') && location.href === href) location.reload()
}
