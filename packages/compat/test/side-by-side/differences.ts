import type { Meant } from './diff.ts'

/** Where our answers are other than next-auth's, on purpose. A path begins with what was done. */
export const routeDifferences: readonly Meant[] = [
  {
    path: /\.cookies\.(Host next-auth\.csrf-token|Secure next-auth\.callback-url)$/,
    ours: /^nothing$/,
    reason: 'a cookie is set where something is remembered by it, not with every answer'
  },
  {
    path: /^(POST|a link|sign-in|a new user).*\.cookies\.Host next-auth\.csrf-token$/,
    theirs: /^nothing$/,
    reason: 'the anti-forgery token is renewed at sign-in and sign-out'
  },
  {
    path: /callbackUrl (that is no URL|of a script)\.(status|cookies\..*)$/,
    theirs: /^(500|nothing)$/,
    reason: 'an address that cannot be gone to means the default, never an error'
  },
  {
    path: /(\/session.* of somebody( without data)?|while signed in)\.cookies\.Secure next-auth\.session-token$/,
    ours: /^nothing$/,
    reason: 'a session is written again when it is as old as updateAge says, not with every answer'
  },
  { path: /\.ref$/, theirs: /^nothing$/, reason: 'a failure carries the id that is in the log' },
  {
    path: /\.(location|provider)$/,
    theirs: /^(https:\/\/app\.test\/api\/auth\/error|people)$/,
    ours: /^(https:\/\/app\.test\/api\/auth\/signin|nothing)$/,
    reason: 'a code of the sign-in page leads there at once, not through the error page'
  },
  {
    path: /^signIn refuses, with own pages\.(location|query\.from)$/,
    ours: /^(https:\/\/app\.test\/oops|auth)$/,
    reason: 'a failure leads to the own error page at once, not through ours'
  },
  {
    path: /^POST \/signin\/email with own pages\.(location|query\.(provider|type))$/,
    ours: /^(https:\/\/app\.test\/mail|nothing)$/,
    reason: 'a mail that was sent leads to the own page at once, not through ours'
  },
  {
    path: /\.cookies\.Secure postern\.email$/,
    theirs: /^nothing$/,
    reason: 'the browser that asked for a mail is known again when the link is opened'
  },
  {
    path: /^GET \/signin\/demo with own pages\.query\.error$/,
    theirs: /^demo$/,
    reason: 'the name of a provider is no error'
  },
  {
    path: /^GET \/callback\/demo without an attempt\./,
    reason: 'an attempt that is lost or too old shows a page that offers to start again'
  },
  {
    path: /^a visitor who cancels at the provider\.(query\.(error|reason)|cookies\..*)$/,
    reason: 'a visitor who cancels is told so, and the attempt is over'
  },
  {
    path: /^GET \/callback\/email without a token\.query\.error$/,
    theirs: /^configuration$/,
    ours: /^Configuration$/,
    reason: 'the code is spelled as everywhere else'
  },
  {
    path: /^GET \/(signin|callback)\/unknown\.(status|body)$/,
    ours: /^(404|Error: there is no such provider)$/,
    reason: 'a provider that is not there is not found'
  },
  { path: /^POST \/signin\/unknown\.query\.csrf$/, theirs: /^true$/, reason: 'the anti-forgery token was right' },
  { path: /^POST \/providers\.(status|body)$/, reason: 'the list is no secret, however it is asked for' },
  {
    path: /^POST \/signin without a provider\./,
    ours: /^(400|nothing|Error: This action with HTTP POST is not supported)$/,
    reason: 'a sign-in is started with a provider'
  },
  {
    path: /^POST \/_log\.(status|body)$/,
    ours: /^(404|Error: the client log is switched off)$/,
    reason: 'browsers write to the log only where the application wants it'
  },
  {
    path: /\.body$/,
    theirs: /^Error: This action with HTTP \w+ is not supported by NextAuth\.js$/,
    ours: /^Error: This action with HTTP \w+ is not supported$/,
    reason: 'it is not NextAuth.js'
  },
  {
    path: /^GET without an action\.(status|body)/,
    theirs: /^(500|\{"message".*)$/,
    ours: /^(400|Error: This action.*)$/,
    reason: 'an address without an action is the mistake of who asks'
  },
  {
    path: /^signIn throws at a mail\.query\.error$/,
    theirs: /^Error: not you$/,
    ours: /^not you$/,
    reason: 'the message is the code, as at every other place where signIn throws'
  },
  {
    path: /^HEAD \/session\.(status|body)$/,
    theirs: /^(400|.*not supported.*|nothing)$/,
    reason: 'HEAD is answered as GET, without a body'
  }
]

/** Where a callback or a listener is told something other than next-auth tells it. */
export const callbackDifferences: readonly Meant[] = [
  { path: /\.account\.userId$/, theirs: /^nothing$/, reason: 'once it is known whose account it is, it says so' },
  { path: /\.token\.auth_time$/, theirs: /^nothing$/, reason: 'a session token says when the visitor signed in' },
  {
    path: /\.user\.emailVerified$/,
    theirs: /^null$/,
    ours: /^<date>$/,
    reason: 'an address that the provider states as proven counts as proven'
  },
  {
    path: /^database: sign-in with a form\./,
    reason: 'with database sessions a form makes a session in the store; next-auth writes a token that nobody reads'
  }
]
