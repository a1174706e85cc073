/** The application of a registration: its tokens are only accepted by registrations with the same id. */
export interface Application {
  readonly id: string
  /** Whether values that name no application are accepted; this changes when another registration starts or closes. */
  readonly acceptsUnbound: boolean
}

/**
 * @param boundTo - The application that a session token names; sessions of next-auth and Auth.js name none.
 * @returns Whether the application accepts it.
 */
export function isAcceptedBy({ id, acceptsUnbound }: Application, boundTo: unknown): boolean {
  return boundTo === undefined || boundTo === null ? acceptsUnbound : boundTo === id
}
