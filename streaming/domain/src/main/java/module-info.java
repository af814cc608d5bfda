/**
 * Pure arithmetic and decisions of Quotascope. The empty list of required modules is the point:
 * nothing here can read a clock, a file, a configuration or a transport.
 */
module io.quotascope.domain {
    exports io.quotascope.domain.analysis;
    exports io.quotascope.domain.cfs;
    exports io.quotascope.domain.cfs.observed;
    exports io.quotascope.domain.cfs.offered;
    exports io.quotascope.domain.cfs.service;
    exports io.quotascope.domain.fleet;
    exports io.quotascope.domain.histogram;
    exports io.quotascope.domain.hour;
    exports io.quotascope.domain.kernel;
    exports io.quotascope.domain.rank;
    exports io.quotascope.domain.risk;
    exports io.quotascope.domain.savings;
    exports io.quotascope.domain.threads;
    exports io.quotascope.domain.throttling;
    exports io.quotascope.domain.whatif;
    exports io.quotascope.domain.whatif.advice;
    exports io.quotascope.domain.verification;
    exports io.quotascope.domain.window;
}
