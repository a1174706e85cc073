import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Discord user profile that Postern reads. */
export interface DiscordProfile {
  readonly id: string
  readonly username: string
  /** `0` for accounts with a new username. */
  readonly discriminator: string
  readonly avatar: string | null
  readonly email: string | null
  readonly verified?: boolean
}

const cdn = 'https://cdn.discordapp.com'

function getImage({ id, avatar, discriminator }: DiscordProfile): string {
  if (avatar) return `${cdn}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
  const index = discriminator === '0' ? Number(BigInt(id) >> 22n) % 6 : Number(discriminator) % 5
  return `${cdn}/embed/avatars/${index}.png`
}

/** Sign-in with Discord. `clientId` and `clientSecret` default to `AUTH_DISCORD_ID` and `AUTH_DISCORD_SECRET`. */
export default function discord(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'discord',
    name: 'Discord',
    type: 'oauth',
    issuer: 'https://discord.com',
    authorization: { url: 'https://discord.com/oauth2/authorize', params: { scope: 'identify email' } },
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/users/@me',
    verifiesEmail: true,
    profile: (profile: DiscordProfile) => ({
      id: profile.id,
      name: profile.username,
      email: profile.email,
      image: getImage(profile),
      emailVerified: profile.verified === true
    }),
    style: { bg: '#5865F2', text: '#fff' },
    options
  }
}
