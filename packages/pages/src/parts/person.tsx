import type { ReactElement } from 'react'
import { Identity } from './identity.tsx'

interface PersonProps {
  readonly name: string | null
  readonly email: string | null
}

/** A user: the name with the address, or the address alone. */
export function Person({ name, email }: PersonProps): ReactElement {
  return name === null ? <Identity name={email ?? ''} /> : <Identity name={name} detail={email} />
}
