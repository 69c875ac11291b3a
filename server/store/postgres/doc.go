// Package postgres keeps boards in a PostgreSQL database.
package postgres
