package main

import (
	"context"
	"errors"
	"time"

	"paperfs/remote/service/kit/temporary"
)

// engines are a PostgreSQL and an object store, which nodes share.
type engines struct {
	postgres *temporary.Postgres
	objects  *temporary.ObjectStore
}

const databaseName = "papers"

// startEngines starts both, with an empty database.
func startEngines(r *rig) (*engines, error) {
	if err := temporary.FindObjectStore(); err != nil {
		return nil, err
	}
	r.say("PostgreSQL and versitygw")
	postgres, err := temporary.StartPostgres("max_connections=200", "shared_buffers=128MB")
	if err != nil {
		return nil, err
	}
	e := &engines{postgres: postgres}
	dir, err := r.makeDir("objects")
	if err == nil {
		e.objects, err = temporary.StartObjectStore(dir, "")
	}
	if err == nil {
		err = e.do(r.ctx, "postgres", "CREATE DATABASE "+databaseName)
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// do runs a statement once PostgreSQL answers.
func (e *engines) do(ctx context.Context, database, statement string) error {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	conn, err := e.postgres.Connect(ctx, database)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

// close ends the engines and removes their data.
func (e *engines) close() error {
	if e.objects != nil {
		e.objects.Close()
	}
	return e.postgres.Close()
}
