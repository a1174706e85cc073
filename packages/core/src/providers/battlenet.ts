import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** Battle.net has one issuer per region. */
export type BattleNetOptions = Omit<OAuthOptions, 'issuer'> & {
  readonly issuer?:
    | `https://${'us' | 'eu' | 'kr' | 'tw'}.battle.net/oauth`
    | 'https://www.battlenet.com.cn/oauth'
    | undefined
}

/** The fields of the Battle.net user profile that Postern reads. */
export interface BattleNetProfile {
  readonly sub: string
  readonly battle_tag: string
}

/**
 * Sign-in with Battle.net. `clientId`, `clientSecret` and `issuer` default to `AUTH_BATTLENET_ID`,
 * `AUTH_BATTLENET_SECRET` and `AUTH_BATTLENET_ISSUER`.
 */
export default function battleNet(options: BattleNetOptions = {}): OAuthConfig {
  return {
    id: 'battlenet',
    name: 'Battle.net',
    type: 'oauth',
    idToken: true,
    profile: ({ sub, battle_tag }: BattleNetProfile) => ({ id: sub, name: battle_tag, email: null, image: null }),
    style: { bg: '#148eff', text: '#fff' },
    options
  }
}
