import { options, text } from './column-types.ts'

/** The statement that creates `postern_account` under a quoted name. */
export function createEvidence(name: string, key: string): string {
  return `create table if not exists ${name} (
  \`provider\` ${key} not null,
  \`providerAccountId\` ${key} not null,
  \`userId\` ${key} not null,
  \`email\` ${text} not null,
  \`verifiedAt\` datetime(3) not null,
  primary key (\`provider\`, \`providerAccountId\`),
  index \`postern_evidence_userId\` (\`userId\`)
) ${options}`
}

/** The statement that creates `postern_ticket` under a quoted name. */
export function createTickets(name: string, key: string): string {
  return `create table if not exists ${name} (
  \`kind\` ${key} not null,
  \`id\` ${key} not null,
  \`userId\` ${key},
  \`data\` ${text} not null,
  \`tries\` int not null,
  \`expires\` datetime(3) not null,
  primary key (\`kind\`, \`id\`),
  index \`postern_ticket_userId\` (\`userId\`),
  index \`postern_ticket_expires\` (\`expires\`)
) ${options}`
}
