package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.SimulationSetup;

/** Runs a service under a limit. The same setup, plan and requests always give the same run. */
public final class ServiceSimulator {
    private ServiceSimulator() {}

    /** One run over the horizon of the setup. */
    public static ServiceRun run(SimulationSetup setup, ServicePlan plan, RequestStream requests) {
        ServiceWork work = new ServiceWork(plan, requests, setup.horizonUs());
        return new ServiceRun(setup, CfsSimulator.run(setup, work), work.requests());
    }
}
