/** Quotes the name of a table or column. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
