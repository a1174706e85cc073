/** Whether this is the one of several alternatives that is given: one without a value is not. */
export function isGiven<Source extends object, Name extends string>(
  source: Source,
  name: Name
): source is Extract<Source, { readonly [N in Name]: unknown }> {
  return Reflect.get(source, name) !== undefined
}
