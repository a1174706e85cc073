import azureAd from '../../src/providers/azure-ad.ts'
import azureAdB2C from '../../src/providers/azure-ad-b2c.ts'
import discord from '../../src/providers/discord.ts'
import github from '../../src/providers/github.ts'
import gitlab from '../../src/providers/gitlab.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import threads from '../../src/providers/threads.ts'
import weChat from '../../src/providers/wechat.ts'
import yandex from '../../src/providers/yandex.ts'
import { first } from './cases-a-l.ts'
import { second } from './cases-m-z.ts'
import { type Case, clientId, clientSecret } from './facts.ts'
import { claims, microsoftClaims, photo } from './samples.ts'
import { accessToken } from './server.ts'

const everyTenant = {
  documentIssuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
  tokenIssuer: 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
  profile: microsoftClaims,
  further: photo(48, null),
  user: { image: null },
  verified: false
} as const

const octocat = { id: 583231, login: 'octocat', name: 'Octo', avatar_url: 'https://github.com/images/1.gif' }

function usual(cases: Readonly<Record<string, Case>>, id: string): Case {
  const found = cases[id]
  if (!found) throw new Error(`there is no case of ${id}`)
  return found
}

/** Variants that the usual case of a provider does not cover. */
export const variants: Readonly<Record<string, readonly Case[]>> = {
  apple: [
    {
      ...usual(first, 'apple'),
      // The name is only sent at the first sign-in; some users always hide their address.
      corrected: { why: 'without the name the original shows the address as the name', profile: { name: 'name' } },
      formPost: {},
      profile: { sub: '000852.4ab2', email: 'ada@icloud.test', email_verified: true },
      inner: {}
    },
    {
      ...usual(first, 'apple'),
      corrected: { why: 'what a visitor writes there is a name or nothing', profile: { name: 'name' } },
      formPost: { user: '{"name":{"firstName":{"a":1}},"email":"mallory@example.com"' },
      profile: { sub: '000852.4ab2', email: 'ada@icloud.test', email_verified: 'false' },
      inner: {},
      verified: false
    }
  ],
  asgardeo: [
    {
      ...usual(first, 'asgardeo'),
      issuer: 'https://api.asgardeo.io/t/acme/oauth2/token',
      values: { issuer: 'https://api.asgardeo.io/t/acme' }
    }
  ],
  'azure-ad': [
    {
      make: () => azureAd(),
      values: { tenantId: 'common' },
      ...everyTenant
    }
  ],
  'azure-ad-b2c': [
    {
      ...usual(first, 'azure-ad-b2c'),
      make: () => azureAdB2C(),
      issuer: 'https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_signin/v2.0',
      profile: { sub: '884408e1', name: 'Ada Lovelace' },
      tokens: {}
    }
  ],
  discord: [
    {
      ...usual(first, 'discord'),
      make: () => discord(),
      profile: {
        id: '80351110224678912',
        username: 'nelly',
        discriminator: '0',
        avatar: null,
        email: 'nelly@discord.test',
        verified: false
      },
      user: { image: 'https://cdn.discordapp.com/embed/avatars/5.png' },
      verified: false
    },
    {
      ...usual(first, 'discord'),
      profile: { id: '80351110224678912', username: 'Nelly', discriminator: '1337', avatar: null, email: null },
      user: { image: 'https://cdn.discordapp.com/embed/avatars/2.png' },
      verified: false
    }
  ],
  github: [
    {
      ...usual(first, 'github'),
      make: () => github(),
      profile: { ...octocat, email: 'public@github.test' },
      further: {
        'https://api.github.com/user/emails': {
          body: [
            { email: 'other@github.test', primary: true, verified: true },
            { email: 'public@github.test', primary: false, verified: false }
          ]
        }
      },
      user: {},
      verified: false
    }
  ],
  gitlab: [
    {
      ...usual(first, 'gitlab'),
      make: () => gitlab({ baseUrl: 'https://git.acme.test' }),
      corrected: {
        why: 'a GitLab of one’s own',
        authorization: { endpoint: 'https://git.acme.test/oauth/authorize' },
        token: { url: 'https://git.acme.test/oauth/token' },
        userinfo: { url: 'https://git.acme.test/api/v4/user' }
      },
      iss: 'https://git.acme.test',
      verified: false
    }
  ],
  google: [
    // A Google account with an address of another provider, which Google does not host.
    { ...usual(first, 'google'), profile: { ...claims, azp: clientId }, verified: false },
    { ...usual(first, 'google'), profile: { ...claims, email: 'ada@gmail.com', azp: clientId }, user: {} },
    { ...usual(first, 'google'), profile: { ...claims, hd: 'example.com', email_verified: false }, verified: false }
  ],
  instagram: [
    {
      // Newer versions of the API wrap the token response.
      ...usual(first, 'instagram'),
      tokens: {
        ...{ access_token: null, token_type: null, expires_in: null, refresh_token: null },
        data: [{ access_token: accessToken, user_id: '17841405793187218', permissions: 'instagram_business_basic' }]
      }
    }
  ],
  'microsoft-entra-id': [{ make: () => microsoftEntraId(), ...everyTenant }],
  notion: [
    {
      ...usual(second, 'notion'),
      // Notion may leave out everything but the id.
      corrected: {
        ...{ why: 'a user without an address ends the sign-in of the original', profile: {} },
        ...usual(second, 'notion').corrected
      },
      profile: {
        object: 'user',
        id: 'a-bot',
        bot: { owner: { type: 'user', user: { object: 'user', id: 'd40e767c' } } }
      },
      inner: {},
      user: { id: 'd40e767c', name: null, email: null, image: null }
    },
    {
      ...usual(second, 'notion'),
      profile: {
        object: 'user',
        id: 'a-bot',
        bot: { owner: { type: 'user', user: { id: 'd40e767c', name: null, avatar_url: null, person: {} } } }
      },
      inner: {},
      user: { id: 'd40e767c', name: null, email: null, image: null }
    }
  ],
  onelogin: [
    {
      ...usual(second, 'onelogin'),
      issuer: 'https://acme.onelogin.com/oidc/2',
      values: { issuer: 'https://acme.onelogin.com' }
    }
  ],
  threads: [
    {
      ...usual(second, 'threads'),
      make: () => threads(),
      profile: { id: '1234567', username: '', threads_profile_picture_url: 'https://scontent.test/1' },
      inner: { data: { id: '1234567', username: '', threads_profile_picture_url: 'https://scontent.test/1' } }
    }
  ],
  trakt: [
    {
      ...usual(second, 'trakt'),
      profile: { user: { username: 'sean', name: null, ids: { slug: 'sean', uuid: 'b6589fc6' } } },
      inner: {},
      user: { id: 'b6589fc6', name: 'sean', image: null }
    }
  ],
  vk: [
    {
      // An offline token does not expire, and a user may not share the address.
      ...usual(second, 'vk'),
      user: { email: null },
      tokens: { token_type: null, user_id: 743784474, expires_in: 0, refresh_token: null },
      expiresIn: null
    }
  ],
  wechat: [
    {
      ...usual(second, 'wechat'),
      make: () => weChat({ platformType: 'WebsiteApp' }),
      corrected: {
        why: 'browsers show a code to scan',
        authorization: {
          endpoint: 'https://open.weixin.qq.com/connect/qrconnect#wechat_redirect',
          params: { scope: 'snsapi_login' }
        },
        token: {
          method: 'GET',
          headers: { authorization: null },
          query: {
            appid: clientId,
            secret: clientSecret,
            code: 'code/of+the=attempt',
            grant_type: 'authorization_code'
          }
        },
        userinfo: usual(second, 'wechat').corrected?.userinfo ?? {}
      }
    }
  ],
  yandex: [
    {
      ...usual(second, 'yandex'),
      make: () => yandex(),
      profile: {
        id: '1',
        login: 'i',
        first_name: 'Ivan',
        emails: ['other@yandex.ru'],
        is_avatar_empty: true,
        default_avatar_id: '0/0-0'
      },
      user: { image: null }
    }
  ]
}
