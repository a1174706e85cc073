/**
 * SQL for the existing table at the place where a table of this name would be created. Without a schema that is the
 * first schema of the search path, while statements also find a table of another application in a later one.
 *
 * @param name - Quoted.
 */
export function madeAt(name: string, { schema }: { readonly schema?: string | undefined } = {}): string {
  const literal = name.replaceAll("'", "''")
  const location = schema === undefined ? `quote_ident(current_schema()) || '.${literal}'` : `'${literal}'`
  return `to_regclass(${location})`
}

/** SQL for the table that statements find by this quoted name. */
export function foundBy(name: string): string {
  return `to_regclass('${name.replaceAll("'", "''")}')`
}
