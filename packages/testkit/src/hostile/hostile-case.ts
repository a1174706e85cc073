import { type JWTHeaderParameters, SignJWT } from 'jose'
import type { Faults } from '../issuer/faults.ts'
import type { Issuer, IssuerOptions } from '../issuer/issuer.ts'
import { type Algorithm, type SigningKey, signingKey } from '../issuer/keys.ts'
import type { IssuerRequest } from '../issuer/request.ts'

/** A violation by a provider, or valid but rare behavior. */
export interface HostileCase {
  /** Distinguishes the cases of a module; empty if there is only one. */
  readonly title: string
  /** Enables the faults. */
  readonly play: (issuer: Issuer) => void
  /** The options of the issuer. */
  readonly issuer?: IssuerOptions
}

/** A module by its name in its suite, with its cases. */
export type HostileModules = Readonly<Record<string, readonly HostileCase[]>>

/** A module with a single case. */
export function faulty(faults: Partial<Faults>): readonly HostileCase[] {
  return [oneOf('', faults)]
}

/** One case of several. */
export function oneOf(title: string, faults: Partial<Faults>): HostileCase {
  return { title, play: (issuer) => void Object.assign(issuer.faults, faults) }
}

/** A key that the issuer does not publish. */
export function strangeKey(alg: Algorithm): SigningKey {
  return signingKey(alg, 1000)
}

/** Signs with another key, or another header; `undefined` removes a member of the header. */
export function signedBy(
  given: SigningKey | null,
  header: Readonly<Record<string, unknown>> = {}
): NonNullable<Faults['idTokenSignature']> {
  return (claims, honest) => {
    const key = given ?? honest
    const all = { alg: key.alg, typ: 'JWT', kid: key.kid, ...header }
    const members = Object.entries(all).filter(([, value]) => value !== undefined)
    const jwt = new SignJWT(claims).setProtectedHeader(Object.fromEntries(members) as JWTHeaderParameters)
    // The signer must support the parameters in `crit`, too.
    const crit = Object.fromEntries([header['crit'] ?? []].flat().map((name) => [String(name), true]))
    return jwt.sign(key.privateKey, { crit })
  }
}

/** The last path segment of a request, which identifies the endpoint. */
export function getEndpoint({ url }: Pick<IssuerRequest, 'url'>): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

/** Replaces the response of one endpoint. */
export function at(endpoint: string, respond: () => Response | Promise<Response>): Partial<Faults> {
  return { respond: (request) => (getEndpoint(request) === endpoint ? respond() : null) }
}
