export {
  type Browser,
  type BrowserOptions,
  createBrowser,
  type HeaderChanges
} from './browser/browser.ts'
export { type Cookie, type CookieJar, createCookieJar } from './browser/cookie-jar.ts'
export type { BrowserResponse } from './browser/response.ts'
export {
  type BrowserAnswer,
  type BrowserRequest,
  fromFetch,
  fromInject,
  type Injectable,
  type Method,
  type ResponseHeaders,
  type Send
} from './browser/send.ts'
export { parseSetCookie, type SetCookie } from './browser/set-cookie.ts'
export { type Clock, createClock, type Now } from './clock.ts'
export { cpuTime } from './cpu-time.ts'
export { freePort } from './free-port.ts'
export type { Faults } from './issuer/faults.ts'
export { createIssuer, type Issuer, type IssuerOptions } from './issuer/issuer.ts'
export type { IssuerMetadata } from './issuer/metadata.ts'
export { ada, type Person } from './issuer/person.ts'
export type { IssuerRequest } from './issuer/request.ts'
export { createMailbox, type Mail, type Mailbox, type Message } from './mailbox.ts'
export { withOwnKeys } from './own-keys.ts'
export { type CuttableRoute, newProxy } from './proxy.ts'
export { createRandom } from './random.ts'
export { waitForMessage } from './wait-for-message.ts'
