/** What the tables and the chart call each subject. */
export const names: Readonly<Record<string, string>> = {
  fastify: 'bare Fastify',
  'by-hand': 'by hand',
  postern: 'Postern',
  'postern-features': 'Postern with account',
  'postern-audit-log': 'Postern with audit log',
  'postern with SQLite': 'Postern, SQLite',
  'next-auth': 'next-auth',
  'auth-js': 'Auth.js (Express)',
  'better-auth': 'better-auth',
  'better-auth-passkey': 'better-auth with passkeys',
  'secure-session': 'secure-session',
  'fastify-session': '@fastify/session'
}

export function getName(subject: string): string {
  return names[subject] ?? subject
}
