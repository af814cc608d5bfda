/**
 * The cheapest set of changes with which a service reaches a target, and how to apply it.
 * docs/model/what-if.md, section Recommendation; pinned by RecommenderTest and SettingTextTest.
 */
package io.quotascope.domain.whatif.advice;
