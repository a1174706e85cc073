import { Connection } from '../load/connection.ts'
import { Visitor } from '../load/visitor.ts'
import type { SubjectName } from '../subjects/subject.ts'

/** A server that runs, as its visitors see it. */
export interface Site {
  readonly subject: SubjectName
  readonly origin: string
  readonly port: number
  /** The OpenID Provider. */
  readonly issuer: string
}

/** Does something as a visitor with a connection of their own. */
export async function asVisitor<T>(site: Site, work: (visitor: Visitor) => Promise<T>): Promise<T> {
  const connection = await Connection.open(site.port)
  try {
    return await work(new Visitor(connection, site.origin))
  } finally {
    connection.close()
  }
}

const issuerConnections = new Map<Connection, Promise<Connection>>()

/** A visitor goes to the provider, signs in there, and is sent back: the path of the callback. */
export async function visitIssuer(site: Site, beside: Connection, address: string): Promise<string> {
  if (!address.startsWith(site.issuer)) throw new Error(`expected an address of the provider, got ${address}`)
  const { port } = new URL(site.issuer)
  const known = issuerConnections.get(beside) ?? Connection.open(Number(port))
  issuerConnections.set(beside, known)
  const response = await new Visitor(await known, site.issuer).ask({ path: address.slice(site.issuer.length) })
  const back = /\r\nlocation: *([^\r]+)/i.exec(response.head)?.[1]
  if (!back?.startsWith(site.origin))
    throw new Error(`expected the provider to send the visitor back, got ${response.status}`)
  return back.slice(site.origin.length)
}

/** Ends the connections to the provider. */
export async function leaveIssuer(): Promise<void> {
  for (const connection of issuerConnections.values()) (await connection).close()
  issuerConnections.clear()
}
