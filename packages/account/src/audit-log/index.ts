export { type AuditListOptions, type AuditLogApi, type AuditPage, auditLog } from './audit-log.ts'
export type { AuditRecord } from './audit-record.ts'
export type { AuditLogOptions, Sink, SinkCall } from './options.ts'
