export { type Authority, type Certificate, createAuthority, createCertificate } from './hostile/certificate.ts'
export { getEndpoint, type HostileCase, type HostileModules } from './hostile/hostile-case.ts'
export { type Answer, type Listening, listen } from './hostile/listen.ts'
export { hostileModules } from './hostile/modules.ts'
