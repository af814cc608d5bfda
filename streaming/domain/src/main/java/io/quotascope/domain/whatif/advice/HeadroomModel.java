package io.quotascope.domain.whatif.advice;

import io.quotascope.domain.whatif.Situation;
import java.util.OptionalDouble;

/** Collapse load / load of a situation, as the risk model sees it. */
@FunctionalInterface
public interface HeadroomModel {
    /** Nobody knows: headroom is then not part of the target, and the recommendation says so. */
    HeadroomModel UNKNOWN = situation -> OptionalDouble.empty();

    /** Multiple of the situation's load at which it collapses; absent when not known. */
    OptionalDouble headroom(Situation situation);
}
