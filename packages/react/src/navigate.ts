/** Navigates the browser to a URL. */
export function navigate(address: string): void {
  const { href } = location
  const target = new URL(address, href).href
  location.href = target
  // Navigating to a fragment of the current page does not reload it.
  if (target.includes('#') && target.split('#')[0] === href.split('#')[0]) location.reload()
}
