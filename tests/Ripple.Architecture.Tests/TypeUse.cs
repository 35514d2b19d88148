using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Ripple.Architecture.Tests;

/// <summary>
/// Which types of its own assembly each type uses: in its bases, signatures, attributes and the instructions of its methods, as compiled.
/// Nested and compiler-made types count as the outermost type around them.
/// </summary>
internal sealed class TypeUse
{
    private readonly PEReader _file;
    private readonly MetadataReader _reader;
    private readonly SortedSet<(string User, string Used)> _uses = [];
    private readonly Collector _collector;
    private string _user = string.Empty;

    private TypeUse(PEReader file)
    {
        _file = file;
        _reader = file.GetMetadataReader();
        _collector = new Collector(this);
    }

    /// <summary>All pairs of (user, used), full names, without a type's use of itself.</summary>
    public static IReadOnlyCollection<(string User, string Used)> Of(Assembly assembly)
    {
        using FileStream stream = File.OpenRead(assembly.Location);
        using var file = new PEReader(stream);
        var use = new TypeUse(file);
        use.Collect();
        return use._uses;
    }

    private void Collect()
    {
        foreach (TypeDefinitionHandle handle in _reader.TypeDefinitions)
        {
            TypeDefinition type = _reader.GetTypeDefinition(handle);
            _user = NameOf(handle);
            Use(type.BaseType);
            foreach (InterfaceImplementationHandle implementation in type.GetInterfaceImplementations())
            {
                Use(_reader.GetInterfaceImplementation(implementation).Interface);
            }

            UseAttributes(type.GetCustomAttributes());
            UseConstraints(type.GetGenericParameters());
            foreach (FieldDefinitionHandle field in type.GetFields())
            {
                FieldDefinition definition = _reader.GetFieldDefinition(field);
                definition.DecodeSignature(_collector, 0);
                UseAttributes(definition.GetCustomAttributes());
            }

            foreach (MethodDefinitionHandle method in type.GetMethods())
            {
                UseMethod(_reader.GetMethodDefinition(method));
            }
        }
    }

    private void UseMethod(MethodDefinition method)
    {
        method.DecodeSignature(_collector, 0);
        UseAttributes(method.GetCustomAttributes());
        UseConstraints(method.GetGenericParameters());
        if (method.RelativeVirtualAddress == 0)
        {
            return;
        }

        MethodBodyBlock body = _file.GetMethodBody(method.RelativeVirtualAddress);
        if (!body.LocalSignature.IsNil)
        {
            _reader.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(_collector, 0);
        }

        foreach (ExceptionRegion region in body.ExceptionRegions)
        {
            Use(region.CatchType);
        }

        foreach (IlCode code in IlCode.Of(body))
        {
            Use(code.Operand);
        }
    }

    private void UseAttributes(CustomAttributeHandleCollection attributes)
    {
        foreach (CustomAttributeHandle attribute in attributes)
        {
            Use(_reader.GetCustomAttribute(attribute).Constructor);
        }
    }

    private void UseConstraints(GenericParameterHandleCollection parameters)
    {
        foreach (GenericParameterHandle parameter in parameters)
        {
            foreach (GenericParameterConstraintHandle constraint in _reader.GetGenericParameter(parameter).GetConstraints())
            {
                Use(_reader.GetGenericParameterConstraint(constraint).Type);
            }
        }
    }

    private void Use(EntityHandle handle)
    {
        if (handle.IsNil)
        {
            return;
        }

        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                string used = NameOf((TypeDefinitionHandle)handle);
                if (used != _user)
                {
                    _uses.Add((_user, used));
                }

                break;
            case HandleKind.TypeSpecification:
                _reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(_collector, 0);
                break;
            case HandleKind.MethodDefinition:
                Use(_reader.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.FieldDefinition:
                Use(_reader.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MemberReference:
                MemberReference member = _reader.GetMemberReference((MemberReferenceHandle)handle);
                Use(member.Parent);
                if (member.GetKind() == MemberReferenceKind.Method)
                {
                    member.DecodeMethodSignature(_collector, 0);
                }

                break;
            case HandleKind.MethodSpecification:
                MethodSpecification method = _reader.GetMethodSpecification((MethodSpecificationHandle)handle);
                Use(method.Method);
                method.DecodeSignature(_collector, 0);
                break;
        }
    }

    private string NameOf(TypeDefinitionHandle handle)
    {
        TypeDefinition type = _reader.GetTypeDefinition(handle);
        while (!type.GetDeclaringType().IsNil)
        {
            type = _reader.GetTypeDefinition(type.GetDeclaringType());
        }

        return $"{_reader.GetString(type.Namespace)}.{_reader.GetString(type.Name)}";
    }

    /// <summary>Sees every type a signature names.</summary>
    private sealed class Collector(TypeUse use) : ISignatureTypeProvider<int, int>
    {
        public int GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
        {
            use.Use(handle);
            return 0;
        }

        public int GetTypeFromSpecification(MetadataReader reader, int genericContext, TypeSpecificationHandle handle, byte rawTypeKind)
        {
            use.Use(handle);
            return 0;
        }

        public int GetArrayType(int elementType, ArrayShape shape) => 0;

        public int GetByReferenceType(int elementType) => 0;

        public int GetFunctionPointerType(MethodSignature<int> signature) => 0;

        public int GetGenericInstantiation(int genericType, ImmutableArray<int> typeArguments) => 0;

        public int GetGenericMethodParameter(int genericContext, int index) => 0;

        public int GetGenericTypeParameter(int genericContext, int index) => 0;

        public int GetModifiedType(int modifier, int unmodifiedType, bool isRequired) => 0;

        public int GetPinnedType(int elementType) => 0;

        public int GetPointerType(int elementType) => 0;

        public int GetPrimitiveType(PrimitiveTypeCode typeCode) => 0;

        public int GetSZArrayType(int elementType) => 0;

        public int GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => 0;
    }
}
