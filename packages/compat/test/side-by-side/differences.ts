import type { ExpectedDifference } from './diff.ts'

/** Where Postern’s answers are other than next-auth's, on purpose. A path begins with what was done. */
export const routeDifferences: readonly ExpectedDifference[] = [
  {
    path: /\.cookies\.(Host next-auth\.csrf-token|Secure next-auth\.callback-url)$/,
    postern: /^nothing$/,
    reason: 'a cookie is set where something is remembered by it, not with every response'
  },
  {
    path: /^(POST|a link|sign-in|a new user).*\.cookies\.Host next-auth\.csrf-token$/,
    nextAuth: /^nothing$/,
    reason: 'the anti-forgery token is renewed at sign-in and sign-out'
  },
  {
    path: /callbackUrl (that is not a URL|of a script)\.(status|cookies\..*)$/,
    nextAuth: /^(500|nothing)$/,
    reason: 'an invalid URL falls back to the default, never to an error'
  },
  {
    path: /(\/session.* of a user( without data)?|while signed in)\.cookies\.Secure next-auth\.session-token$/,
    postern: /^nothing$/,
    reason: 'a session is renewed after updateAge, not with every response'
  },
  { path: /\.ref$/, nextAuth: /^nothing$/, reason: 'a failure carries the id that is in the log' },
  {
    path: /\.(location|provider)$/,
    nextAuth: /^(https:\/\/app\.test\/api\/auth\/error|people)$/,
    postern: /^(https:\/\/app\.test\/api\/auth\/signin|nothing)$/,
    reason: 'a code of the sign-in page leads there at once, not through the error page'
  },
  {
    path: /^signIn refuses, with own pages\.(location|query\.from)$/,
    postern: /^(https:\/\/app\.test\/oops|auth)$/,
    reason: 'a failure redirects to the custom error page directly'
  },
  {
    path: /^POST \/signin\/email with own pages\.(location|query\.(provider|type))$/,
    postern: /^(https:\/\/app\.test\/mail|nothing)$/,
    reason: 'a sent mail redirects to the custom page directly'
  },
  {
    path: /\.cookies\.Secure postern\.email$/,
    nextAuth: /^nothing$/,
    reason: 'the browser that asked for a mail is known again when the link is opened'
  },
  {
    path: /\.cookies\.Secure postern\.last-method$/,
    nextAuth: /^nothing$/,
    reason: 'the sign-in page marks the method that the browser used last'
  },
  {
    path: /^POST \/csrf\.(status|body)$/,
    reason: 'a browser gets the error page with 404 for a wrong address'
  },
  {
    path: /\.cookies\.Secure postern\.flash$/,
    nextAuth: /^nothing$/,
    reason: 'the next sign-in page knows what was typed into a form that failed, and that the user has signed out'
  },
  {
    path: /^POST \/signin\/email (with no|without an) address\.query\.reason$/,
    nextAuth: /^nothing$/,
    postern: /^invalid$/,
    reason: 'a page says that an address is invalid; a client that asks for JSON gets the code alone'
  },
  {
    path: /^GET \/signin\/demo with own pages\.query\.error$/,
    nextAuth: /^demo$/,
    reason: 'the name of a provider is not an error'
  },
  {
    path: /^GET \/callback\/demo without an attempt\./,
    reason: 'an attempt that is lost or too old shows a page that offers to start again'
  },
  {
    path: /^a visitor who cancels at the provider\.(query\.(error|reason)|cookies\..*)$/,
    reason: 'a visitor who cancels is reported, and the attempt is over'
  },
  {
    path: /^GET \/callback\/email without a token\.query\.error$/,
    nextAuth: /^configuration$/,
    postern: /^Verification$/,
    reason: 'a link that is not complete is no mistake of the configuration'
  },
  {
    path: /^GET \/callback\/people\.status$/,
    nextAuth: /^500$/,
    postern: /^400$/,
    reason: 'a method that a route does not have is the mistake of who asks'
  },
  {
    path: /^GET \/(signin|callback)\/unknown\.(status|body)$/,
    postern: /^(404|Error: there is no such provider)$/,
    reason: 'a provider that is not there is not found'
  },
  { path: /^POST \/signin\/unknown\.query\.csrf$/, nextAuth: /^true$/, reason: 'the anti-forgery token was right' },
  { path: /^POST \/providers\.(status|body)$/, reason: 'the list is not a secret, however it is requested' },
  {
    path: /^POST \/signin without a provider\./,
    postern: /^(400|nothing|Error: This action with HTTP POST is not supported)$/,
    reason: 'a sign-in is started with a provider'
  },
  {
    path: /^POST \/_log\.(status|body)$/,
    postern: /^(404|Error: the client log is switched off)$/,
    reason: 'browsers write to the log only where the application wants it'
  },
  {
    path: /\.body$/,
    nextAuth: /^Error: This action with HTTP \w+ is not supported by NextAuth\.js$/,
    postern: /^Error: This action with HTTP \w+ is not supported$/,
    reason: 'it is not NextAuth.js'
  },
  {
    path: /^GET without an action\.(status|body)/,
    nextAuth: /^(500|\{"message".*)$/,
    postern: /^(400|Error: This action.*)$/,
    reason: 'an address without an action is the mistake of who asks'
  },
  {
    path: /^signIn throws at a mail\.query\.error$/,
    nextAuth: /^Error: not you$/,
    postern: /^not you$/,
    reason: 'the message is the code, as at every other place where signIn throws'
  },
  {
    path: /^HEAD \/session\.(status|body)$/,
    nextAuth: /^(400|.*not supported.*|nothing)$/,
    reason: 'HEAD is answered as GET, without a body'
  }
]

/** Where the arguments of a callback or listener differ from next-auth's. */
export const callbackDifferences: readonly ExpectedDifference[] = [
  {
    path: /\.account\.userId$/,
    nextAuth: /^nothing$/,
    reason: 'once the user of the account is known, it is included'
  },
  {
    path: /\.isNewUser$/,
    nextAuth: /^nothing$/,
    reason: 'the signIn callback receives whether the user would be new'
  },
  { path: /\.token\.session_app$/, nextAuth: /^nothing$/, reason: 'a JWT session names its application' },
  {
    path: /\.token\.session_auth$/,
    nextAuth: /^nothing$/,
    reason: 'a session token states how its user was authenticated'
  },
  {
    path: /^database: sign-in with a form\./,
    reason: 'with database sessions a form makes a session in the store; next-auth writes a token that no one reads'
  }
]
