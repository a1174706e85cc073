import mailchimp from '../../src/providers/mailchimp.ts'
import mailRu from '../../src/providers/mailru.ts'
import mastodon from '../../src/providers/mastodon.ts'
import mattermost from '../../src/providers/mattermost.ts'
import medium from '../../src/providers/medium.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import naver from '../../src/providers/naver.ts'
import netlify from '../../src/providers/netlify.ts'
import netSuite from '../../src/providers/netsuite.ts'
import nextcloud from '../../src/providers/nextcloud.ts'
import notion from '../../src/providers/notion.ts'
import okta from '../../src/providers/okta.ts'
import oneLogin from '../../src/providers/onelogin.ts'
import osso from '../../src/providers/osso.ts'
import osu from '../../src/providers/osu.ts'
import passage from '../../src/providers/passage.ts'
import patreon from '../../src/providers/patreon.ts'
import pingId from '../../src/providers/ping-id.ts'
import pinterest from '../../src/providers/pinterest.ts'
import pipedrive from '../../src/providers/pipedrive.ts'
import reddit from '../../src/providers/reddit.ts'
import roblox from '../../src/providers/roblox.ts'
import salesforce from '../../src/providers/salesforce.ts'
import simpleLogin from '../../src/providers/simplelogin.ts'
import slack from '../../src/providers/slack.ts'
import spotify from '../../src/providers/spotify.ts'
import strava from '../../src/providers/strava.ts'
import threads from '../../src/providers/threads.ts'
import tikTok from '../../src/providers/tiktok.ts'
import todoist from '../../src/providers/todoist.ts'
import trakt from '../../src/providers/trakt.ts'
import twitch from '../../src/providers/twitch.ts'
import twitter from '../../src/providers/twitter.ts'
import unitedEffects from '../../src/providers/united-effects.ts'
import vipps from '../../src/providers/vipps.ts'
import vk from '../../src/providers/vk.ts'
import webex from '../../src/providers/webex.ts'
import weChat from '../../src/providers/wechat.ts'
import wikimedia from '../../src/providers/wikimedia.ts'
import wordPress from '../../src/providers/wordpress.ts'
import workOS from '../../src/providers/workos.ts'
import yandex from '../../src/providers/yandex.ts'
import zitadel from '../../src/providers/zitadel.ts'
import zoho from '../../src/providers/zoho.ts'
import zoom from '../../src/providers/zoom.ts'
import { type Case, clientId, clientSecret } from './facts.ts'
import { claims, microsoftClaims, photo, photoUrl } from './samples.ts'

/** Each provider, with its documentation's own example where it has one. */
export const second: Readonly<Record<string, Case>> = {
  mailchimp: {
    make: () => mailchimp(),
    profile: {
      dc: 'us6',
      role: 'owner',
      accountname: 'Freddie’s Jokes',
      user_id: 17,
      login: { email: 'freddie@example.com', avatar: null, login_id: 1234567, login_name: 'freddie' }
    },
    tokens: { token_type: null, expires_in: 0, scope: null, refresh_token: null },
    expiresIn: null
  },
  mailru: {
    make: () => mailRu(),
    profile: {
      id: '123456789',
      client_id: 'c',
      name: 'Иван Иванов',
      nickname: 'ivan',
      email: 'ivan@mail.ru',
      image: 'https://filin.mail.ru/pic?d=1'
    },
    tokens: { token_type: null }
  },
  mastodon: {
    make: () => mastodon(),
    issuer: 'https://mastodon.example',
    iss: 'https://mastodon.example',
    profile: {
      id: '14715',
      username: 'trwnh',
      acct: 'trwnh',
      display_name: 'infinite love',
      avatar: 'https://files.mastodon.example/1.gif',
      avatar_static: 'https://files.mastodon.example/1.png'
    },
    tokens: { scope: 'read', created_at: 1573979017, expires_in: null, refresh_token: null },
    expiresIn: null,
    scope: 'read'
  },
  mattermost: {
    make: () => mattermost(),
    issuer: 'https://chat.acme.test',
    profile: {
      id: 'qmaz',
      username: 'ada',
      first_name: 'Ada',
      last_name: 'L',
      nickname: 'a',
      email: 'ada@example.com',
      email_verified: true
    }
  },
  medium: {
    make: () => medium(),
    profile: {
      data: {
        id: '5303d74c64f66366f00cb9b2a94f3251bf5',
        username: 'majelbstoat',
        name: 'Jamie Talbot',
        imageUrl: 'https://images.medium.com/0*fkfQiTzT7TlUGGyI.png'
      }
    },
    tokens: { scope: ['basicProfile'] },
    scope: 'basicProfile',
    tokenStatus: 201
  },
  'microsoft-entra-id': {
    make: () => microsoftEntraId(),
    issuer: 'https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0',
    documentIssuer: 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
    corrected: { why: 'the tenant is an option', wellKnown: '{issuer}/.well-known/openid-configuration' },
    profile: { ...microsoftClaims, xms_edov: true },
    user: { image: photoUrl },
    verified: true,
    further: photo(48)
  },
  naver: {
    make: () => naver(),
    profile: {
      resultcode: '00',
      message: 'success',
      response: {
        id: '32742776',
        nickname: 'OpenAPI',
        name: '오픈 API',
        email: 'openapi@naver.test',
        profile_image: 'https://ssl.pstatic.net/1.gif'
      }
    },
    tokens: { token_type: 'bearer', expires_in: '3600' }
  },
  netlify: {
    make: () => netlify(),
    profile: {
      id: '5f0f',
      uid: 'u',
      full_name: 'Matt B',
      email: 'matt@example.com',
      avatar_url: 'https://avatars.test/1',
      slug: 'matt'
    },
    tokens: { expires_in: null, scope: 'public', created_at: 1893456000 },
    expiresIn: null,
    scope: 'public'
  },
  netsuite: {
    make: () =>
      netSuite({
        accountID: '1234567_SB1',
        userinfo: 'https://1234567-sb1.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1'
      }),
    values: { accountID: '1234567-sb1' },
    corrected: {
      why: 'the names of sandboxes have another sign in hosts; userinfo is the application’s; NetSuite documents PKCE',
      pkce: true,
      authorization: { endpoint: 'https://1234567-sb1.app.netsuite.com/app/login/oauth2/authorize.nl' },
      userinfo: {
        url: 'https://1234567-sb1.restlets.api.netsuite.com/app/site/hosting/restlet.nl',
        query: { script: '1', deploy: '1' }
      }
    },
    profile: { id: 42, name: 'Ada', email: 'ada@example.com', role: 3 },
    tokens: { expires_in: '3600', token_type: 'bearer' }
  },
  nextcloud: {
    make: () => nextcloud(),
    issuer: 'https://cloud.acme.test',
    iss: 'https://cloud.acme.test',
    corrected: {
      why: 'a function makes the request, as here',
      userinfo: { url: 'https://cloud.acme.test/ocs/v1.php/cloud/users/ada', headers: { 'ocs-apirequest': 'true' } }
    },
    profile: {
      ocs: {
        meta: { status: 'ok', statuscode: 100 },
        data: { id: 'ada', displayname: 'Ada L', 'display-name': 'Ada L', email: 'ada@example.com', enabled: true }
      }
    },
    inner: { id: 'ada', displayname: 'Ada L', email: 'ada@example.com' },
    tokens: { user_id: 'ada' }
  },
  notion: {
    make: () => notion(),
    corrected: {
      why: 'a function makes the request, as here',
      userinfo: { url: 'https://api.notion.com/v1/users/me', headers: { 'notion-version': '2022-06-28' } }
    },
    profile: {
      object: 'user',
      id: 'a-bot',
      name: 'Bot',
      type: 'bot',
      bot: {
        owner: {
          type: 'user',
          user: {
            object: 'user',
            id: 'd40e767c',
            name: 'Avocado Lovelace',
            avatar_url: 'https://secure.notion-static.com/1.png',
            type: 'person',
            person: { email: 'avo@example.org' }
          }
        }
      }
    },
    inner: {
      id: 'd40e767c',
      name: 'Avocado Lovelace',
      avatar_url: 'https://secure.notion-static.com/1.png',
      person: { email: 'avo@example.org' }
    },
    tokens: { token_type: 'bearer', bot_id: 'a-bot', workspace_id: 'w', expires_in: null, refresh_token: null },
    expiresIn: null
  },
  okta: {
    make: () => okta(),
    issuer: 'https://acme.okta.com/oauth2/default',
    profile: claims
  },
  onelogin: {
    make: () => oneLogin(),
    issuer: 'https://acme.onelogin.com',
    profile: claims
  },
  osso: {
    make: () => osso(),
    issuer: 'https://osso.acme.test/',
    iss: 'https://osso.acme.test/',
    corrected: {
      why: 'only an issuer with a slash at its end worked',
      authorization: { endpoint: 'https://osso.acme.test/oauth/authorize' },
      token: { url: 'https://osso.acme.test/oauth/token' },
      userinfo: { url: 'https://osso.acme.test/oauth/me' }
    },
    profile: { id: 'u-1', name: 'Ada', email: 'ada@example.com', idp: 'Okta' }
  },
  osu: {
    make: () => osu(),
    profile: {
      id: 1,
      username: 'osuuser',
      avatar_url: 'https://a.ppy.sh/1?1501234567.jpeg',
      country_code: 'US',
      is_online: true
    },
    tokens: { scope: 'identify' },
    scope: 'identify'
  },
  passage: {
    make: () => passage(),
    issuer: 'https://auth.passage.id/v1/apps/abc',
    profile: { sub: 'p-1', email: 'ada@example.com', email_verified: true, phone_number_verified: false }
  },
  patreon: {
    make: () => patreon(),
    corrected: {
      why: 'the first version of the API is to end; the second one returns only fields that are requested',
      userinfo: {
        url: 'https://www.patreon.com/api/oauth2/v2/identity',
        query: { 'fields[user]': 'email,full_name,image_url,is_email_verified' }
      }
    },
    profile: {
      data: {
        type: 'user',
        id: '32187',
        attributes: {
          full_name: 'Jack Conte',
          vanity: 'jackconte',
          email: 'jack@example.com',
          image_url: 'https://c8.patreon.com/1',
          is_email_verified: true
        }
      }
    },
    verified: true,
    tokens: { scope: 'identity identity[email]' },
    scope: 'identity identity[email]'
  },
  'ping-id': {
    make: () => pingId(),
    issuer: 'https://auth.pingone.eu/env/as',
    profile: claims
  },
  pinterest: {
    make: () => pinterest(),
    corrected: { why: 'the username can pass to another person', profile: { id: 'id' } },
    // It names accounts of next-auth only.
    indifferent: ['without formerAccountId'],
    profile: {
      account_type: 'BUSINESS',
      id: '2783136121146311751',
      profile_image: 'https://i.pinimg.com/280x280_RS/1.jpg',
      username: 'ada',
      business_name: 'Ada Inc'
    },
    tokens: { token_type: 'bearer', response_type: 'authorization_code', scope: 'user_accounts:read' },
    scope: 'user_accounts:read'
  },
  pipedrive: {
    make: () => pipedrive(),
    corrected: {
      why: 'the API is below /api/v1',
      userinfo: { url: 'https://api.pipedrive.com/api/v1/users/me' }
    },
    profile: {
      success: true,
      data: { id: 1, name: 'John Doe', email: 'john@example.com', company_id: 7, icon_url: 'https://upload.test/1.jpg' }
    },
    tokens: { scope: 'base', api_domain: 'https://acme.pipedrive.com' },
    scope: 'base'
  },
  reddit: {
    make: () => reddit(),
    profile: { id: 'jm5', name: 'bob', icon_img: 'https://styles.redditmedia.com/1.png', verified: true },
    tokens: { scope: 'identity', token_type: 'bearer' },
    scope: 'identity'
  },
  roblox: {
    make: () => roblox(),
    corrected: {
      why: 'the address had two slashes',
      wellKnown: 'https://apis.roblox.com/oauth/.well-known/openid-configuration'
    },
    documentIssuer: 'https://apis.roblox.com/oauth/',
    profile: {
      sub: '1516563360',
      name: 'Roblox',
      nickname: 'rblx',
      preferred_username: 'roblox',
      picture: 'https://tr.rbxcdn.com/1.png',
      created_at: 1584682495
    }
  },
  salesforce: {
    make: () => salesforce(),
    follows: 'authJs',
    corrected: {
      why: 'next-auth v4 checks nothing and refuses the ID Token; its account id and its parameter are kept',
      flow: 'oidc',
      authorization: { params: { display: 'page' } },
      profile: { id: 'user_id', name: 'name', email: 'email', image: 'picture' }
    },
    profile: {
      sub: 'https://login.salesforce.com/id/00Dx0000001T0zk/005x0000001S2b9',
      user_id: '005x0000001S2b9',
      organization_id: '00Dx0000001T0zk',
      preferred_username: 'user1@acme.test',
      nickname: 'user1',
      name: 'Pat Patterson',
      email: 'pat@example.com',
      email_verified: true,
      picture: 'https://acme.salesforce.com/profilephoto/005/F'
    }
  },
  simplelogin: {
    make: () => simpleLogin(),
    profile: {
      sub: '1',
      id: 1,
      name: 'Son NK',
      email: 'son.alias@sl.test',
      email_verified: true,
      avatar_url: 'https://app.simplelogin.io/1.jpg'
    }
  },
  slack: {
    make: () => slack(),
    profile: { ...claims, 'https://slack.com/user_id': 'U0R7MFMJM', 'https://slack.com/team_id': 'T0R7GR' },
    tokens: { ok: true }
  },
  spotify: {
    make: () => spotify(),
    iss: 'https://accounts.spotify.com',
    profile: {
      id: 'wizzler',
      display_name: 'JM Wizzler',
      email: 'wizzler@example.com',
      images: [{ url: 'https://i.scdn.co/image/1', height: null, width: null }],
      type: 'user',
      product: 'premium'
    },
    tokens: { scope: 'user-read-email' },
    scope: 'user-read-email'
  },
  strava: {
    make: () => strava(),
    profile: {
      id: 1234567890987654,
      username: 'marianne_v',
      firstname: 'Marianne',
      lastname: 'V.',
      profile: 'https://dgalywyr863hv.cloudfront.net/pictures/athletes/1/large.jpg'
    },
    tokens: { expires_at: 1568775134, athlete: { id: 1234567890987654 } }
  },
  threads: {
    make: () => threads(),
    profile: {
      data: {
        id: '1234567',
        username: 'threadsapitestuser',
        threads_profile_picture_url: 'https://scontent-sjc3-1.cdninstagram.com/1'
      }
    },
    tokens: { token_type: null, expires_in: null, refresh_token: null, user_id: '1234567' },
    expiresIn: null
  },
  tiktok: {
    make: () => tikTok(),
    corrected: {
      why: 'TikTok’s own name for the client replaces it',
      token: { form: { client_id: null, client_key: clientId } }
    },
    profile: {
      data: {
        user: {
          open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
          union_id: 'c9c60f44',
          avatar_url: 'https://p19-sign.tiktokcdn-us.com/1.jpeg',
          display_name: 'Tik Toker'
        }
      },
      error: { code: 'ok', message: '' }
    },
    tokens: { open_id: '723f24d7', refresh_expires_in: 31536000, scope: 'user.info.basic' },
    scope: 'user.info.basic'
  },
  todoist: {
    make: () => todoist(),
    corrected: {
      why: 'the ninth version of the Sync API has ended',
      userinfo: { url: 'https://api.todoist.com/api/v1/user' }
    },
    profile: {
      id: '2671355',
      email: 'me@example.com',
      full_name: 'Example User',
      avatar_big: 'https://avatars.doist.com/big.jpg',
      avatar_small: 'https://avatars.doist.com/small.jpg',
      is_premium: false
    },
    tokens: { expires_in: null, refresh_token: null },
    expiresIn: null
  },
  trakt: {
    make: () => trakt(),
    corrected: {
      why: 'the slug can pass to another person; OAuth has its own host, and wants the secret in the body',
      authorization: { endpoint: 'https://auth.trakt.tv/oauth/authorize' },
      token: { url: 'https://auth.trakt.tv/oauth/token' },
      userinfo: {
        url: 'https://api.trakt.tv/users/settings',
        headers: { 'trakt-api-version': '2', 'trakt-api-key': clientId }
      },
      clientAuth: 'client_secret_post',
      profile: { id: 'ids.uuid' }
    },
    // `tokenRequest` changes refresh requests only.
    indifferent: ['without formerAccountId', 'without tokenRequest'],
    profile: {
      user: {
        username: 'sean',
        private: false,
        name: 'Sean Rudford',
        vip: true,
        ids: { slug: 'sean-1', uuid: 'b6589fc6ab0dc82cf12099d1c2d40ab994e8410c' },
        images: { avatar: { full: 'https://walter.trakt.tv/images/users/1/avatars/large.jpg' } }
      },
      account: { timezone: 'America/Los_Angeles' }
    },
    inner: {
      name: 'Sean Rudford',
      ids: { slug: 'sean-1', uuid: 'b6589fc6ab0dc82cf12099d1c2d40ab994e8410c' },
      images: { avatar: { full: 'https://walter.trakt.tv/images/users/1/avatars/large.jpg' } }
    },
    tokens: { scope: 'public', created_at: 1893456000 },
    scope: 'public'
  },
  twitch: {
    make: () => twitch(),
    corrected: {
      why: 'Twitch takes the secret in the body only, which next-auth v4 learns from the metadata',
      clientAuth: 'client_secret_post'
    },
    profile: {
      sub: '713936733',
      preferred_username: 'scottguitar',
      email: 'scott@example.com',
      picture: 'https://static-cdn.jtvnw.net/1.png'
    },
    tokens: { scope: ['openid', 'user:read:email'] },
    scope: 'openid user:read:email',
    refusal: { body: { status: 400, message: 'Invalid authorization code' }, says: 'Invalid authorization code' }
  },
  twitter: {
    make: () => twitter(),
    corrected: {
      why: 'the addresses have moved, as Auth.js has them; the client is named in the body, as the original does in its own function',
      authorization: { endpoint: 'https://x.com/i/oauth2/authorize' },
      token: { url: 'https://api.x.com/2/oauth2/token', form: { client_id: clientId } },
      userinfo: { url: 'https://api.x.com/2/users/me' }
    },
    profile: {
      data: {
        id: '2244994945',
        username: 'TwitterDev',
        name: 'Twitter Dev',
        profile_image_url: 'https://pbs.twimg.com/profile_images/1/normal.jpg'
      }
    },
    tokens: { token_type: 'bearer', scope: 'users.read tweet.read offline.access' },
    scope: 'users.read tweet.read offline.access'
  },
  'united-effects': {
    make: () => unitedEffects(),
    issuer: 'https://auth.unitedeffects.com/acme',
    profile: claims
  },
  vipps: {
    make: () => vipps(),
    corrected: {
      why: 'the address had two slashes',
      wellKnown: 'https://api.vipps.no/access-management-1.0/access/.well-known/openid-configuration'
    },
    documentIssuer: 'https://api.vipps.no/access-management-1.0/access/',
    profile: {
      sub: 'c06c4afe-d9e1-4c5d-939a-177d752a0944',
      name: 'Ada Lovelace',
      email: 'user@example.com',
      email_verified: true,
      sid: '7d78a726'
    }
  },
  vk: {
    make: () => vk(),
    corrected: { why: 'the address is in the token response' },
    user: { email: 'persik@vk.test' },
    profile: {
      response: [
        {
          id: 743784474,
          first_name: 'Persik',
          last_name: 'Ryzhiy',
          photo_100: 'https://sun1.userapi.com/100.jpg',
          is_closed: false
        }
      ]
    },
    tokens: { token_type: null, user_id: 743784474, email: 'persik@vk.test', expires_in: 43200, refresh_token: null },
    expiresIn: 43200
  },
  webex: {
    make: () => webex(),
    profile: {
      id: 'Y2lzY29zcGFyazovL3VzL1BFT1BMRS8x',
      emails: ['john.andersen@example.com', 'j@example.com'],
      displayName: 'John Andersen',
      nickName: 'John',
      avatar: 'https://avatar-a.wbx2.com/1',
      type: 'person'
    },
    tokens: { refresh_token_expires_in: 7776000 }
  },
  wechat: {
    make: () => weChat(),
    indifferent: ['client authentication'],
    contentType: 'text/plain',
    corrected: {
      why: 'WeChat documents GET, and the sign that it asks for at the end of the address',
      authorization: { endpoint: 'https://open.weixin.qq.com/connect/oauth2/authorize#wechat_redirect' },
      token: {
        method: 'GET',
        headers: { authorization: null },
        query: { appid: clientId, secret: clientSecret, code: 'code/of+the=attempt', grant_type: 'authorization_code' }
      },
      userinfo: {
        url: 'https://api.weixin.qq.com/sns/userinfo',
        headers: { authorization: null },
        query: { access_token: 'access/token+1=', openid: 'OPENID', lang: 'zh_CN' }
      }
    },
    profile: {
      openid: 'OPENID',
      nickname: '小明',
      sex: 1,
      city: 'CITY',
      headimgurl: 'https://thirdwx.qlogo.cn/mmopen/46',
      privilege: [],
      unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL'
    },
    tokens: {
      token_type: null,
      expires_in: 7200,
      openid: 'OPENID',
      scope: 'snsapi_userinfo',
      unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL'
    },
    expiresIn: 7200,
    scope: 'snsapi_userinfo'
  },
  wikimedia: {
    make: () => wikimedia(),
    iss: 'https://meta.wikimedia.org',
    profile: {
      sub: '123',
      username: 'Ada',
      editcount: 5,
      confirmed_email: true,
      blocked: false,
      email: 'ada@example.com',
      realname: 'A L'
    },
    verified: true
  },
  wordpress: {
    make: () => wordPress(),
    profile: {
      ID: 78972699,
      display_name: 'ada',
      username: 'adal',
      email: 'ada@example.com',
      email_verified: true,
      avatar_URL: 'https://1.gravatar.com/avatar/1',
      primary_blog: 1
    },
    tokens: { blog_id: '0', scope: 'auth', expires_in: null, refresh_token: null },
    expiresIn: null,
    scope: 'auth'
  },
  workos: {
    make: () => workOS(),
    iss: 'https://api.workos.com/',
    profile: {
      object: 'profile',
      id: 'prof_01DMC79VCBZ0NY2099737PSVF1',
      connection_type: 'okta',
      email: 'todd@example.com',
      first_name: 'Todd',
      last_name: 'Rundgren',
      idp_id: '00u1a0',
      raw_attributes: { picture: 'https://workos.test/1.png' }
    },
    tokens: {
      token_type: null,
      expires_in: null,
      refresh_token: null,
      profile: { id: 'prof_01DMC79VCBZ0NY2099737PSVF1' }
    },
    expiresIn: null
  },
  yandex: {
    make: () => yandex(),
    corrected: {
      why: 'Yandex documents its own scheme for the token',
      userinfo: { headers: { authorization: 'OAuth access/token+1=' } }
    },
    profile: {
      id: '1000034426',
      login: 'ivan',
      display_name: 'Ivan',
      real_name: 'Ivan Ivanov',
      first_name: 'Ivan',
      default_email: 'test@yandex.ru',
      emails: ['other@yandex.ru'],
      is_avatar_empty: false,
      default_avatar_id: '131652443'
    },
    tokens: { scope: 'login:info login:email login:avatar' },
    scope: 'login:info login:email login:avatar',
    user: { image: 'https://avatars.yandex.net/get-yapic/131652443/islands-200' }
  },
  zitadel: {
    make: () => zitadel(),
    issuer: 'https://acme.zitadel.cloud',
    profile: claims
  },
  zoho: {
    make: () => zoho(),
    iss: 'https://accounts.zoho.com',
    profile: { First_Name: 'Ada', Last_Name: 'L', Email: 'ada@example.com', Display_Name: 'ada', ZUID: 10023456 },
    tokens: { api_domain: 'https://www.zohoapis.com', refresh_token: null }
  },
  zoom: {
    make: () => zoom(),
    profile: {
      id: 'z8dsdsdsdsdCfp8uQ',
      first_name: 'Harry',
      last_name: 'Grande',
      display_name: 'Harry Grande',
      email: 'harryg@example.com',
      type: 2,
      pic_url: 'https://us02web.zoom.us/p/v2/1',
      verified: 1
    },
    tokens: { scope: 'user:read' },
    scope: 'user:read'
  }
}
