import * as client from 'next-auth-5/react'
import { mount } from './journey.tsx'

mount(client)
