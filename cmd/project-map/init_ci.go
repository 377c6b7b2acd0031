package main

import (
	"fmt"
	"strings"

	"github.com/project-map/project-map/templates"
)

// ciWorkflow is the workflow that init writes for the forge.
const ciWorkflow = ".github/workflows/project-map.yml"

// ciBody is the workflow, with the release that this program is.
func ciBody() string {
	return strings.Replace(templates.Text(templates.CIGitHub), "@VERSION", "@v"+version, 1)
}

// ci writes a workflow of its own. A file of that name without our marks is
// somebody else's, or was taken over: a second list of jobs cannot be added to it.
func (in *installer) ci() error {
	text, err := readOptional(in.tree, ciWorkflow)
	if err != nil {
		return err
	}
	if text != nil {
		b, err := hashComment.findBlock(text)
		if err != nil {
			return damaged(ciWorkflow, err)
		}
		if b == nil {
			return withHint(fmt.Errorf("%s %w", ciWorkflow, errNotOurs), "add this job to it by hand, or move it away and run again:\n\n%s", ciJob())
		}
	}
	if err := in.setBlock(in.tree, ciWorkflow, hashComment, ciBody()); err != nil {
		return err
	}
	in.next = append(in.next, "Commit it, together with the maps where they are to be validated (project-map index); without maps in the commit nothing is validated.")
	return nil
}

// ciJob is the job of the workflow alone.
func ciJob() string {
	_, jobs, _ := strings.Cut(ciBody(), "\njobs:\n")
	return jobs
}
