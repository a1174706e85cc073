import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { claimsFor } from './person.ts'
import type { Grant, State } from './state.ts'

/** The lifetime of an ID Token in seconds. */
const maxAge = 300

/** Issues the ID Token of a grant, with the enabled faults. */
export async function issueIdToken(state: State, grant: Grant): Promise<string> {
  const { faults, key } = state
  const claims = getClaims(state, grant)
  const final = faults.idTokenClaims?.(claims) ?? claims
  return faults.idTokenSignature?.(final, key) ?? sign(state, final)
}

function getClaims({ issuer, client, now, faults, hasClaimsInIdToken }: State, grant: Grant): JWTPayload {
  const issuedAt = faults.futureIat ? now() + 3600 : faults.expired ? now() - maxAge - 20 : now()
  const { sub, ...rest } = claimsFor(grant.person, grant.scope)
  const audience = faults.wrongAud ? 'another-client' : client.id
  return {
    ...(hasClaimsInIdToken ? rest : {}),
    ...(faults.missingSub ? {} : { sub: faults.emptySub ? '' : sub }),
    iss: faults.wrongIss ? 'https://another-issuer.test' : issuer,
    ...(faults.missingAud ? {} : { aud: faults.wrongAzp ? [audience, 'another-client'] : audience }),
    ...(faults.wrongAzp ? { azp: 'another-client' } : {}),
    ...(faults.missingIat ? {} : { iat: issuedAt }),
    ...(faults.missingExp ? {} : { exp: issuedAt + maxAge }),
    ...getNonce(faults, grant.nonce)
  }
}

function getNonce({ missingNonce, wrongNonce }: State['faults'], nonce: string | null): JWTPayload {
  if (missingNonce) return {}
  if (wrongNonce) return { nonce: 'another-nonce' }
  return nonce === null ? {} : { nonce }
}

async function sign({ client, key, faults }: State, claims: JWTPayload): Promise<string> {
  if (faults.algNone) return new UnsecuredJWT(claims).encode()
  const jwt = new SignJWT(claims)
  if (faults.hs256) {
    return jwt.setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(Buffer.from(client.secret ?? 'no secret'))
  }
  const kid = faults.unknownKid ? 'unknown' : key.kid
  const token = await jwt.setProtectedHeader({ alg: key.alg, typ: 'JWT', kid }).sign(key.privateKey)
  return faults.badSignature ? corrupt(token) : token
}

/** Flips one bit in the middle of the signature. */
function corrupt(token: string): string {
  const [header, payload, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const middle = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  return [header, payload, bytes.toString('base64url')].join('.')
}
