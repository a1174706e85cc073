import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Test } from 'tap'

const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL'])

/** Why the tests of a server are skipped; `false` if it responds, or if nothing may be skipped. */
export async function withoutServer(name: string, port: number): Promise<string | false> {
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
  return isThere || isRequired ? false : `no ${name} at 127.0.0.1:${port}`
}

/** A schema that is dropped after the test. @returns Its URL. */
export async function withPostgres(t: Test): Promise<string> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  // A commit need not reach the disk: the server is not stopped.
  const options = `-c search_path=${name} -c synchronous_commit=off`
  const server = 'postgres://root@127.0.0.1:5432/test'
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create schema ${name}`)
  t.teardown(async () => {
    await client.query(`drop schema ${name} cascade`)
    await client.end()
  })
  return `${server}?options=${encodeURIComponent(options)}`
}

/** A database that is dropped after the test. @returns Its URL. */
export async function withMysql(t: Test): Promise<string> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const server = 'mysql://root@127.0.0.1:3306'
  const root = await mysql.createConnection(server)
  await root.query(`create database ${name}`)
  t.teardown(async () => {
    await root.query(`drop database ${name}`)
    await root.end()
  })
  return `${server}/${name}`
}
