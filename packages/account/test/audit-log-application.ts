import { type AuditLogOptions, type AuditRecord, auditLog } from '@postern/account/audit-log'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  openAccountApplication
} from './account-application.ts'
import type { Strategy } from './password-application.ts'

export interface AuditApplicationOptions extends AccountApplicationOptions {
  readonly auditLog?: AuditLogOptions
}

/** An application with an audit log and every other feature. */
export function openAuditApplication(
  t: Parameters<typeof openAccountApplication>[0],
  strategy: Strategy,
  { auditLog: options, features = [], ...others }: AuditApplicationOptions = {}
): Promise<AccountApplication> {
  return openAccountApplication(t, strategy, { ...others, features: [auditLog(options), ...features] })
}

/** Every record, the oldest first, once the refusals in memory are stored. */
export async function readAll({ auth }: Pick<AccountApplication, 'auth'>): Promise<readonly AuditRecord[]> {
  const api = auth.features['audit-log']
  await api.flush()
  const all: AuditRecord[] = []
  for (let before: string | null = ''; before !== null; ) {
    const { records, next } = await api.list({ limit: 7, ...(before === '' ? {} : { before }) })
    all.push(...records)
    before = next
  }
  return all.reverse()
}

export const getTypes = (records: readonly AuditRecord[]): readonly string[] => records.map(({ type }) => type)
