import fortyTwo from '../../src/providers/42-school.ts'
import apple from '../../src/providers/apple.ts'
import asgardeo from '../../src/providers/asgardeo.ts'
import atlassian from '../../src/providers/atlassian.ts'
import auth0 from '../../src/providers/auth0.ts'
import authentik from '../../src/providers/authentik.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import azureAdB2C from '../../src/providers/azure-ad-b2c.ts'
import azureDevOps from '../../src/providers/azure-devops.ts'
import bankIdNo from '../../src/providers/bankid-no.ts'
import battleNet from '../../src/providers/battlenet.ts'
import beyondIdentity from '../../src/providers/beyondidentity.ts'
import bitbucket from '../../src/providers/bitbucket.ts'
import box from '../../src/providers/box.ts'
import boxyHQSAML from '../../src/providers/boxyhq-saml.ts'
import bungie from '../../src/providers/bungie.ts'
import clickUp from '../../src/providers/click-up.ts'
import cognito from '../../src/providers/cognito.ts'
import coinbase from '../../src/providers/coinbase.ts'
import concept2 from '../../src/providers/concept2.ts'
import descope from '../../src/providers/descope.ts'
import discord from '../../src/providers/discord.ts'
import dribbble from '../../src/providers/dribbble.ts'
import dropbox from '../../src/providers/dropbox.ts'
import duendeIdentityServer6 from '../../src/providers/duende-identity-server6.ts'
import duendeIdentityserver6 from '../../src/providers/duende-identityserver6.ts'
import eventbrite from '../../src/providers/eventbrite.ts'
import eveOnline from '../../src/providers/eveonline.ts'
import facebook from '../../src/providers/facebook.ts'
import faceit from '../../src/providers/faceit.ts'
import figma from '../../src/providers/figma.ts'
import foursquare from '../../src/providers/foursquare.ts'
import freshbooks from '../../src/providers/freshbooks.ts'
import frontegg from '../../src/providers/frontegg.ts'
import fusionAuth from '../../src/providers/fusionauth.ts'
import github from '../../src/providers/github.ts'
import gitlab from '../../src/providers/gitlab.ts'
import google from '../../src/providers/google.ts'
import hubspot from '../../src/providers/hubspot.ts'
import huggingFace from '../../src/providers/huggingface.ts'
import hydra from '../../src/providers/hydra.ts'
import identityServer4 from '../../src/providers/identity-server4.ts'
import instagram from '../../src/providers/instagram.ts'
import kakao from '../../src/providers/kakao.ts'
import keycloak from '../../src/providers/keycloak.ts'
import kinde from '../../src/providers/kinde.ts'
import line from '../../src/providers/line.ts'
import linkedIn from '../../src/providers/linkedin.ts'
import logto from '../../src/providers/logto.ts'
import { type Case, clientId, clientSecret } from './facts.ts'
import { claims, microsoftClaims, photo, photoUrl } from './samples.ts'

/** An access token of EVE Online: a JWT, whose signature is not verified. */
const evePass = (claims: object): string =>
  ['header', JSON.stringify(claims), 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.')

/** Each provider, with its documentation's own example where it has one. */
export const first: Readonly<Record<string, Case>> = {
  '42-school': {
    make: () => fortyTwo(),
    profile: {
      id: 2,
      email: 'andre@42.fr',
      login: 'andre',
      first_name: 'André',
      last_name: 'Aubin',
      usual_full_name: 'Juliette Aubin',
      displayname: 'André Aubin',
      kind: 'admin',
      image_url: 'https://cdn.intra.42.fr/users/andre.jpg',
      image: { link: 'https://cdn.intra.42.fr/users/1234/andre.jpg' }
    },
    tokens: { scope: 'public', created_at: 1443451918 },
    scope: 'public'
  },
  apple: {
    make: () => apple(),
    follows: 'authJs',
    formPost: { user: JSON.stringify({ name: { firstName: 'Jane', lastName: 'Doe' }, email: 'not@trusted.test' }) },
    profile: {
      sub: '000852.4ab2ab8e3fb14ccb9ac8e4d9b4e3a1d2.0321',
      email: 'Dpdcnf87nu@privaterelay.appleid.com',
      email_verified: 'true',
      is_private_email: 'true',
      auth_time: 1893456000,
      nonce_supported: true
    },
    inner: { user: { name: { firstName: 'Jane', lastName: 'Doe' } } },
    verified: true
  },
  asgardeo: {
    make: () => asgardeo(),
    issuer: 'https://api.asgardeo.io/t/acme',
    profile: claims
  },
  atlassian: {
    make: () => atlassian(),
    iss: 'https://auth.atlassian.com',
    corrected: {
      why: 'the profile is refused without the scope read:me, which Auth.js asks for',
      authorization: { params: { scope: 'read:me' } }
    },
    profile: {
      account_type: 'atlassian',
      account_id: '112233aa-bb11-cc22-33dd-445566abcabc',
      email: 'mia@example.com',
      name: 'Mia Krystof',
      picture: 'https://avatar-management--avatars.us-west-2.prod.public.atl-paas.net/112233aa',
      account_status: 'active',
      nickname: 'mkrystof'
    },
    tokens: { scope: 'read:me' },
    scope: 'read:me'
  },
  auth0: {
    make: () => auth0(),
    issuer: 'https://acme.eu.auth0.com',
    documentIssuer: 'https://acme.eu.auth0.com/',
    profile: claims
  },
  authentik: {
    make: () => authentik(),
    issuer: 'https://id.acme.test/application/o/shop',
    documentIssuer: 'https://id.acme.test/application/o/shop/',
    profile: claims
  },
  'azure-ad-b2c': {
    make: () => azureAdB2C({ tenantId: 'acme', primaryUserFlow: 'B2C_1_signin' }),
    values: { tenantId: 'acme', primaryUserFlow: 'B2C_1_signin' },
    documentIssuer: 'https://acme.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/',
    profile: {
      sub: '884408e1-2918-4cz0-b12d-3aa027d7563b',
      name: 'Ada Lovelace',
      emails: ['ada@example.com', 'l@example.com'],
      tfp: 'B2C_1_signin',
      ver: '1.0'
    },
    tokens: {
      not_before: 1893456000,
      profile_info: 'eyJ2ZXIiOiIxLjAifQ',
      id_token_expires_in: 3600,
      refresh_token_expires_in: 1209600
    }
  },
  'azure-ad': {
    make: () => azureAd({ tenantId: 'contoso.onmicrosoft.com' }),
    values: { tenantId: 'contoso.onmicrosoft.com' },
    documentIssuer: 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
    profile: { ...microsoftClaims, xms_edov: true },
    user: { image: photoUrl },
    verified: true,
    further: photo(48),
    tokens: { ext_expires_in: 3600, scope: 'openid profile email' },
    scope: 'openid profile email'
  },
  'azure-devops': {
    make: () => azureDevOps(),
    corrected: {
      why: 'the token address was that of the authorization page, and the request was never made as Azure DevOps wants it',
      token: {
        url: 'https://app.vssps.visualstudio.com/oauth2/token',
        headers: { authorization: null },
        form: {
          code: null,
          assertion: 'code/of+the=attempt',
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: clientSecret
        }
      }
    },
    profile: {
      displayName: 'Jamal Hartnett',
      publicAlias: '9f1b2c',
      emailAddress: 'fabrikamfiber4@hotmail.com',
      id: 'd6245f20-2af8-44f4-9451-8107cb2767db',
      coreAttributes: { Avatar: { value: { value: 'iVBORw0KGgo=' }, revision: 1 } }
    },
    tokens: { token_type: 'jwt-bearer', expires_in: '3599', scope: 'vso.profile' },
    expiresIn: 3599,
    scope: 'vso.profile'
  },
  'bankid-no': {
    make: () => bankIdNo(),
    signedUserinfo: true,
    profile: {
      sub: 'e1ec6c1c-2c9a-4cc3-a4b4-6f7d8c7b2a10',
      name: 'Kari Nordmann',
      given_name: 'Kari',
      birthdate: '1983-07-21',
      email: 'Kari@example.no',
      email_verified: false
    }
  },
  battlenet: {
    make: () => battleNet(),
    issuer: 'https://eu.battle.net/oauth',
    profile: { sub: '123456', battle_tag: 'Player#1234', id: 99 }
  },
  beyondidentity: {
    make: () => beyondIdentity(),
    issuer: 'https://auth-us.beyondidentity.com/v1/tenants/1/realms/2/applications/3',
    profile: claims
  },
  bitbucket: {
    make: () => bitbucket(),
    profile: {
      display_name: 'Evzijst',
      username: 'evzijst',
      account_id: '557058:c4b0c8d4',
      uuid: '{a288a0ab}',
      nickname: 'evzijst',
      links: {
        avatar: { href: 'https://avatar-management.test/557058' },
        self: { href: 'https://api.bitbucket.org/2.0/users/1' }
      }
    },
    tokens: { scopes: 'account', state: 'authorization_code' }
  },
  box: {
    make: () => box(),
    profile: {
      type: 'user',
      id: '11446498',
      name: 'Aaron Levie',
      login: 'ceo@example.com',
      avatar_url: 'https://app.box.com/api/avatar/large/1',
      status: 'active'
    },
    tokens: { restricted_to: [] }
  },
  'boxyhq-saml': {
    make: () => boxyHQSAML(),
    issuer: 'https://jackson.acme.test',
    iss: 'https://jackson.acme.test',
    profile: {
      id: '9b1d',
      email: 'jackson@example.com',
      firstName: 'Samuel',
      lastName: 'Jackson',
      raw: { name: 'SJ' },
      requested: {}
    }
  },
  bungie: {
    make: () => bungie({ apiKey: 'a-key' }),
    corrected: {
      why: 'Bungie no longer documents the address, which had a hole that no one filled, and the key was missing',
      token: { url: 'https://www.bungie.net/Platform/App/OAuth/token/' },
      userinfo: {
        url: 'https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/',
        headers: { 'x-api-key': 'a-key' }
      }
    },
    profile: {
      Response: {
        bungieNetUser: {
          membershipId: '20025402',
          uniqueName: 'ada',
          displayName: 'Ada',
          profilePicturePath: '/img/profile/avatars/1.jpg'
        }
      },
      ErrorCode: 1,
      ErrorStatus: 'Success'
    },
    user: { image: 'https://www.bungie.net/img/profile/avatars/1.jpg' },
    tokens: { membership_id: '4611686018', refresh_expires_in: 7776000 }
  },
  'click-up': {
    make: () => clickUp(),
    profile: {
      user: {
        id: 123,
        username: 'John Doe',
        email: 'j@example.com',
        color: '#000000',
        profilePicture: 'https://clickup.com/avatar.jpg',
        initials: 'JD'
      }
    },
    tokens: { expires_in: null, refresh_token: null },
    expiresIn: null
  },
  cognito: {
    make: () => cognito(),
    issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc',
    profile: { ...claims, 'cognito:username': 'janed', token_use: 'id' }
  },
  coinbase: {
    make: () => coinbase(),
    follows: 'authJs',
    profile: {
      data: {
        id: '9da7a204-544e-5fd1-9a12-61176c5d4cd8',
        name: 'User One',
        username: 'user1',
        email: 'user1@example.com',
        avatar_url: 'https://images.coinbase.com/avatar?h=1'
      }
    },
    tokens: { scope: 'wallet:user:email wallet:user:read' },
    scope: 'wallet:user:email wallet:user:read'
  },
  concept2: {
    make: () => concept2(),
    profile: {
      data: {
        id: 1,
        username: 'davidh',
        first_name: 'David',
        email: 'davidh@example.com',
        profile_image: 'https://log.concept2.com/1.jpg'
      }
    }
  },
  descope: {
    make: () => descope(),
    profile: claims
  },
  discord: {
    make: () => discord(),
    iss: 'https://discord.com',
    corrected: {
      why: 'Discord documents the page without /api',
      authorization: { endpoint: 'https://discord.com/oauth2/authorize' }
    },
    profile: {
      id: '80351110224678912',
      username: 'Nelly',
      discriminator: '1337',
      global_name: 'Nel',
      avatar: 'a_8342729096ea3675442027381ff50dfe',
      verified: true,
      email: 'Nelly@discord.test'
    },
    user: { image: 'https://cdn.discordapp.com/avatars/80351110224678912/a_8342729096ea3675442027381ff50dfe.gif' },
    verified: true,
    tokens: { scope: 'identify email' },
    scope: 'identify email'
  },
  dribbble: {
    make: () => dribbble(),
    corrected: { why: 'the text "undefined" was sent as the scope', authorization: { params: { scope: 'public' } } },
    profile: {
      id: 1,
      name: 'Dan Cederholm',
      login: 'simplebits',
      avatar_url: 'https://cdn.dribbble.com/users/1/avatars/normal/dc.jpg',
      email: 'dan@example.com'
    },
    tokens: { expires_in: null, scope: 'public' },
    expiresIn: null,
    scope: 'public'
  },
  dropbox: {
    make: () => dropbox(),
    iss: 'https://www.dropbox.com',
    corrected: { why: 'Dropbox responses to POST only', userinfo: { method: 'POST' } },
    profile: {
      account_id: 'dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc',
      name: { display_name: 'Franz Ferdinand (Personal)', familiar_name: 'Franz' },
      email: 'franz@example.com',
      email_verified: true,
      profile_photo_url: 'https://dl-web.dropbox.com/account_photo/get/dbaphid'
    },
    tokens: { scope: 'account_info.read', uid: '12345' },
    scope: 'account_info.read'
  },
  'duende-identity-server6': {
    make: () => duendeIdentityServer6(),
    issuer: 'https://demo.duendesoftware.com',
    profile: claims
  },
  'duende-identityserver6': {
    make: () => duendeIdentityserver6(),
    issuer: 'https://demo.duendesoftware.com',
    profile: claims
  },
  eventbrite: {
    make: () => eventbrite(),
    profile: {
      id: '12345',
      name: 'John Smith',
      first_name: 'John',
      image_id: '456',
      emails: [
        { email: 'other@example.com', primary: false, verified: true },
        { email: 'me@example.com', primary: true, verified: true }
      ]
    },
    user: { email: 'me@example.com' },
    tokens: { expires_in: null },
    expiresIn: null
  },
  eveonline: {
    make: () => eveOnline(),
    iss: 'https://login.eveonline.com',
    corrected: {
      why: 'EVE Online documents the claims of the access token, no longer /oauth/verify; the pictures have another server',
      profileFrom: 'id_token'
    },
    profile: {},
    user: {
      id: '95465499',
      name: 'CCP Bärtender',
      image: 'https://images.evetech.net/characters/95465499/portrait?size=128'
    },
    tokens: { access_token: evePass({ sub: 'CHARACTER:EVE:95465499', name: 'CCP Bärtender', scp: ['publicData'] }) }
  },
  facebook: {
    make: () => facebook(),
    iss: 'https://www.facebook.com',
    corrected: {
      why: 'the versions 11 and 19 of the API have ended',
      authorization: { endpoint: 'https://www.facebook.com/v26.0/dialog/oauth' }
    },
    profile: {
      id: '10157',
      name: 'Mark',
      email: 'Mark@facebook.test',
      picture: { data: { height: 50, is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/1', width: 50 } }
    },
    tokens: { token_type: 'bearer', refresh_token: null }
  },
  faceit: {
    make: () => faceit(),
    profile: {
      guid: '6a1e',
      name: 'Neo',
      nickname: 'neo',
      email: 'neo@example.com',
      picture: 'https://assets.faceit-cdn.net/1.jpg',
      birthdate: '1980-01-01'
    }
  },
  figma: {
    make: () => figma(),
    corrected: {
      why: 'new applications cannot have files:read, and a sign-in does not need it',
      authorization: { params: { scope: 'current_user:read' } }
    },
    // It changes refresh requests only.
    indifferent: ['without tokenRequest'],
    profile: { id: '740', email: 'figma@example.com', handle: 'Fi Gma', img_url: 'https://s3-alpha.figma.com/1' },
    tokens: { user_id: '740', token_type: null }
  },
  foursquare: {
    make: () => foursquare(),
    corrected: {
      why: 'a function makes the request, as here',
      userinfo: {
        url: 'https://api.foursquare.com/v2/users/self',
        headers: { authorization: null },
        query: { v: '20230131', oauth_token: 'access/token+1=' }
      }
    },
    profile: {
      meta: { code: 200 },
      response: {
        user: {
          id: '12345678',
          firstName: 'Jimmy',
          lastName: 'Foursquare',
          contact: { email: 'jimmy@example.com' },
          photo: { prefix: 'https://fastly.4sqi.net/img/user/', suffix: '/1.jpg' }
        }
      }
    },
    tokens: { token_type: null, expires_in: null, refresh_token: null },
    expiresIn: null
  },
  freshbooks: {
    make: () => freshbooks(),
    // It changes refresh requests only.
    indifferent: ['without tokenRequest'],
    follows: 'authJs',
    corrected: {
      why: 'the page moved, and the names of the fields were those of an older version; FreshBooks has its own scopes, and wants the secret in the body',
      authorization: {
        endpoint: 'https://auth.freshbooks.com/oauth/authorize',
        params: { scope: 'user:profile:read' }
      },
      clientAuth: 'client_secret_post'
    },
    profile: {
      response: {
        id: 712052,
        identity_id: 712052,
        first_name: 'Gordon',
        last_name: 'Shumway',
        email: 'gordon@example.com',
        confirmed_at: '2017-04-01T15:54:01Z'
      }
    },
    tokens: { scope: 'user:profile:read', created_at: 1893456000 },
    scope: 'user:profile:read'
  },
  frontegg: {
    make: () => frontegg(),
    issuer: 'https://app-1.frontegg.com',
    documentIssuer: 'https://app-1.frontegg.com',
    profile: claims
  },
  fusionauth: {
    make: () => fusionAuth({ tenantId: '30663132-6464-6665-3032-326466613934' }),
    issuer: 'https://acme.fusionauth.io',
    values: { tenantId: '30663132-6464-6665-3032-326466613934' },
    corrected: {
      why: 'the profile reads an address that the scope did not ask for; Auth.js asks',
      authorization: { params: { scope: 'openid offline_access email profile' } }
    },
    profile: { ...claims, preferred_username: 'jane' },
    // Every error has this header (https://github.com/nextauthjs/next-auth/issues/8745).
    refusal: {
      headers: { 'www-authenticate': 'Basic realm="fusionauth"' },
      body: { error: 'invalid_grant', error_description: 'no such code' },
      says: 'invalid_grant'
    }
  },
  github: {
    make: () => github(),
    iss: 'https://github.com/login/oauth',
    profile: {
      id: 583231,
      login: 'octocat',
      name: null,
      email: null,
      avatar_url: 'https://github.com/images/error/octocat_happy.gif',
      type: 'User'
    },
    further: {
      'https://api.github.com/user/emails': {
        body: [
          { email: 'old@github.test', primary: false, verified: false },
          { email: 'Octocat@github.test', primary: true, verified: true }
        ]
      }
    },
    user: { email: 'Octocat@github.test' },
    verified: true,
    tokens: { scope: 'read:user,user:email', expires_in: null, refresh_token: null, token_type: 'bearer' },
    expiresIn: null,
    scope: 'read:user,user:email'
  },
  gitlab: {
    make: () => gitlab(),
    // It changes refresh requests only.
    indifferent: ['without tokenRequest'],
    iss: 'https://gitlab.com',
    profile: {
      id: 1,
      username: 'john_smith',
      name: 'John Smith',
      email: 'john@example.com',
      avatar_url: 'https://gitlab.com/uploads/1/index.jpg',
      confirmed_at: '2012-05-23T09:05:22Z',
      sub: 'x'
    },
    verified: true,
    tokens: { scope: 'read_user', created_at: 1893456000 },
    scope: 'read_user'
  },
  google: {
    make: () => google(),
    profile: { ...claims, hd: 'example.com', azp: clientId },
    verified: true
  },
  hubspot: {
    make: () => hubspot(),
    corrected: {
      why: 'HubSpot deprecated the first version of its API, with the token in the path',
      token: { url: 'https://api.hubapi.com/oauth/v3/token' },
      userinfo: {
        method: 'POST',
        url: 'https://api.hubapi.com/oauth/v3/token/introspect',
        headers: { authorization: null, 'content-type': 'application/x-www-form-urlencoded' },
        form: {
          client_id: clientId,
          client_secret: clientSecret,
          token: 'access/token+1=',
          token_type_hint: 'access_token'
        }
      }
    },
    profile: {
      active: true,
      token: 'access',
      user: 'bh@example.com',
      user_id: 456,
      hub_id: 62515,
      scopes: ['oauth'],
      hub_domain: 'meowmix.com'
    }
  },
  huggingface: {
    make: () => huggingFace(),
    profile: claims
  },
  hydra: {
    make: () => hydra(),
    issuer: 'https://acme.projects.oryapis.com',
    profile: claims
  },
  'identity-server4': {
    make: () => identityServer4(),
    issuer: 'https://demo.identityserver.io',
    profile: claims
  },
  instagram: {
    make: () => instagram(),
    corrected: {
      why: 'the Basic Display API and its scopes have ended',
      authorization: { params: { scope: 'instagram_business_basic' } }
    },
    profile: { id: '17841405793187218', username: 'jayposiris', account_type: 'BUSINESS', name: 'Jay' },
    tokens: { token_type: null, expires_in: null, refresh_token: null, user_id: 17841405793187218n.toString() },
    expiresIn: null
  },
  kakao: {
    make: () => kakao(),
    iss: 'https://kauth.kakao.com',
    profile: {
      id: 123456789,
      connected_at: '2022-04-11T01:45:28Z',
      kakao_account: {
        profile: {
          nickname: '홍길동',
          profile_image_url: 'https://yyy.kakao.com/img_640x640.jpg',
          thumbnail_image_url: 'https://t'
        },
        email: 'Sample@sample.test',
        is_email_valid: true,
        is_email_verified: true
      }
    },
    verified: true,
    tokens: { token_type: 'bearer', refresh_token_expires_in: 5183999, scope: 'account_email profile' },
    scope: 'account_email profile'
  },
  keycloak: {
    make: () => keycloak(),
    issuer: 'https://id.acme.test/realms/main',
    profile: claims
  },
  kinde: {
    make: () => kinde(),
    issuer: 'https://acme.kinde.com',
    profile: claims
  },
  line: {
    make: () => line(),
    profile: {
      sub: 'U1234567890abcdef1234567890abcdef',
      name: 'Taro Line',
      picture: 'https://sample_line.me/aBcdefg123456',
      amr: ['pwd'],
      email: 'taro@example.com'
    },
    tokens: { scope: 'openid profile' },
    scope: 'openid profile'
  },
  linkedin: {
    make: () => linkedIn(),
    follows: 'authJs',
    noNonce: true,
    profile: { ...claims, locale: 'en-US' },
    verified: true
  },
  logto: {
    make: () => logto(),
    issuer: 'https://acme.logto.app/oidc',
    profile: { ...claims, name: null, username: 'jane' }
  }
}
