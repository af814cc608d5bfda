-- One row: what to paste on one platform to make the recommended change of a service and quota class; savings_latest says what the change is worth.
-- The setting is split at the lines that name a platform (SettingPage in streaming/domain); a text without such lines is one row.
CREATE OR REPLACE VIEW quotascope_views.recommended_settings
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quota_class,
    window_start,
    team,
    recommended_change,
    trust,
    place,
    transform(
        platform,
        ['kubernetes', 'systemd', 'mesos', 'cgroup_v2', 'cgroup_v1', 'jvm', 'go', 'netty', 'shards', ''],
        ['Kubernetes', 'systemd', 'Mesos', 'cgroup v2 files', 'cgroup v1 files', 'JVM flags', 'Go environment', 'Netty property', 'number of shards', 'any'],
        platform) AS platform_shown,
    platform_text,
    remark
FROM
(
    SELECT
        advised.origin AS origin,
        advised.cluster AS cluster,
        advised.service AS service,
        advised.quota_class AS quota_class,
        advised.window_start AS window_start,
        advised.team AS team,
        advised.recommended_change AS recommended_change,
        advised.trust AS trust,
        toInt32(place) AS place,
        startsWith(advised.setting_text, '# ') OR place > 1 AS named,
        if(named, extract(splitByChar('\n', block)[1], '^([a-z0-9_]+)'), '') AS platform,
        if(named, extract(splitByChar('\n', block)[1], '^[a-z0-9_]+: (.*)'), '') AS remark,
        if(named, substring(block, length(splitByChar('\n', block)[1]) + 2), block) AS platform_text
    FROM quotascope_views.savings_latest AS advised
    ARRAY JOIN
        arrayFilter(text -> text != '', splitByString('\n# ', if(startsWith(advised.setting_text, '# '), substring(advised.setting_text, 3), advised.setting_text))) AS block,
        arrayEnumerate(arrayFilter(text -> text != '', splitByString('\n# ', if(startsWith(advised.setting_text, '# '), substring(advised.setting_text, 3), advised.setting_text)))) AS place
    WHERE advised.recommended
);
