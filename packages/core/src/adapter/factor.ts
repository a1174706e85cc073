/** The pair that identifies a factor. */
export interface FactorKey {
  /** The method, such as `totp` or `passkey`. */
  type: string
  /** Unique within its type; at most 255 ASCII characters. */
  id: string
}

/** Something that a user authenticates with, such as a passkey, a TOTP secret or a recovery code. */
export interface Factor extends FactorKey {
  userId: string
  /** What the user calls it. */
  name: string | null
  /** What verifies it. Postern encrypts it before it reaches the adapter. */
  data: string
  createdAt: Date
  lastUsedAt: Date | null
  /** Grows by 1 with every update. */
  version: number
}
