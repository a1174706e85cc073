/** A value that next-auth does not type, or types in several ways, so that what was written for it compiles. */
export type Unchecked = ReturnType<typeof JSON.parse>
