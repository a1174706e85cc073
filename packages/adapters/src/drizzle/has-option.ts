/** Whether this alternative is given: an option with the value `undefined` is not. */
export function hasOption<Source extends object, Name extends string>(
  source: Source,
  name: Name
): source is Extract<Source, { readonly [N in Name]: unknown }> {
  return Reflect.get(source, name) !== undefined
}
