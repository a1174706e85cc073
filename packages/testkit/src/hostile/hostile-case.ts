import { type JWTHeaderParameters, SignJWT } from 'jose'
import type { Faults } from '../issuer/faults.ts'
import type { Issuer, IssuerOptions } from '../issuer/issuer.ts'
import { type Algorithm, type SigningKey, signingKey } from '../issuer/keys.ts'
import type { IssuerRequest } from '../issuer/request.ts'

/** One thing that a provider does which it should not, or which few do. */
export interface HostileCase {
  /** What tells it from the other cases of its module; empty where it is the only one. */
  readonly title: string
  /** Throws the switches. */
  readonly play: (issuer: Issuer) => void
  /** What the issuer has to be made with. */
  readonly issuer?: IssuerOptions
}

/** A module by its name in its suite, with its cases. */
export type HostileModules = Readonly<Record<string, readonly HostileCase[]>>

/** A module with one case: these faults. */
export function faulty(faults: Partial<Faults>): readonly HostileCase[] {
  return [oneOf('', faults)]
}

/** One case of several. */
export function oneOf(title: string, faults: Partial<Faults>): HostileCase {
  return { title, play: (issuer) => void Object.assign(issuer.faults, faults) }
}

/** A key that is not the issuer's. */
export function strangeKey(alg: Algorithm): SigningKey {
  return signingKey(alg, 1000)
}

/** Signs with another key, or another header; `undefined` takes a member of the header away. */
export function signedBy(
  given: SigningKey | null,
  header: Readonly<Record<string, unknown>> = {}
): NonNullable<Faults['idTokenSignature']> {
  return (claims, honest) => {
    const key = given ?? honest
    const all = { alg: key.alg, typ: 'JWT', kid: key.kid, ...header }
    const members = Object.entries(all).filter(([, value]) => value !== undefined)
    const jwt = new SignJWT(claims).setProtectedHeader(Object.fromEntries(members) as JWTHeaderParameters)
    // What is named in `crit` has to be known to the one who signs, too.
    const crit = Object.fromEntries([header['crit'] ?? []].flat().map((name) => [String(name), true]))
    return jwt.sign(key.privateKey, { crit })
  }
}

/** The part of an address that tells an endpoint of the issuer from the others. */
export function endpointOf({ url }: Pick<IssuerRequest, 'url'>): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

/** Answers at one endpoint; the others stay honest. */
export function at(endpoint: string, respond: () => Response | Promise<Response>): Partial<Faults> {
  return { respond: (request) => (endpointOf(request) === endpoint ? respond() : null) }
}
