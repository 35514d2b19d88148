using System.Text.Json;
using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>
/// JSON serialization of the admin API's types: camel case, enumerations as words. A client ignores unknown members; a host refuses them.
/// Does not use reflection.
/// </summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip)]
[JsonSerializable(typeof(Problem))]
[JsonSerializable(typeof(ClusterInfo))]
[JsonSerializable(typeof(Identity))]
[JsonSerializable(typeof(ApplicationInfo))]
[JsonSerializable(typeof(CreateApplicationRequest))]
[JsonSerializable(typeof(PublishRequest))]
[JsonSerializable(typeof(RollbackRequest))]
[JsonSerializable(typeof(PublishResult))]
[JsonSerializable(typeof(PublishPlan))]
[JsonSerializable(typeof(ReleaseInfo))]
[JsonSerializable(typeof(Diff))]
[JsonSerializable(typeof(DefinitionsInfo))]
[JsonSerializable(typeof(ReportRequest))]
[JsonSerializable(typeof(ReportedLevel))]
[JsonSerializable(typeof(SpaceInfo))]
[JsonSerializable(typeof(SpaceSubscribers))]
[JsonSerializable(typeof(EmitRequest))]
[JsonSerializable(typeof(EmittedEvent))]
[JsonSerializable(typeof(SpaceEvent))]
[JsonSerializable(typeof(NodeInfo))]
[JsonSerializable(typeof(Frontier))]
[JsonSerializable(typeof(WaitProgress))]
[JsonSerializable(typeof(WaitResult))]
[JsonSerializable(typeof(MonitorPoint))]
[JsonSerializable(typeof(TokenInfo))]
[JsonSerializable(typeof(CreateTokenRequest))]
[JsonSerializable(typeof(CreatedToken))]
[JsonSerializable(typeof(RoleGrant))]
[JsonSerializable(typeof(SetRoleRequest))]
[JsonSerializable(typeof(EndedRights))]
[JsonSerializable(typeof(RevokedNodeInfo))]
[JsonSerializable(typeof(RegionInfo))]
[JsonSerializable(typeof(AuditInfo))]
[JsonSerializable(typeof(Page<ApplicationInfo>))]
[JsonSerializable(typeof(Page<KeyInfo>))]
[JsonSerializable(typeof(Page<ReleaseInfo>))]
[JsonSerializable(typeof(Page<NodeInfo>))]
[JsonSerializable(typeof(Page<TokenInfo>))]
[JsonSerializable(typeof(Page<RoleGrant>))]
[JsonSerializable(typeof(Page<AuditInfo>))]
[JsonSerializable(typeof(Page<RevokedNodeInfo>))]
[JsonSerializable(typeof(Page<RegionInfo>))]
public sealed partial class AdminJson : JsonSerializerContext;
