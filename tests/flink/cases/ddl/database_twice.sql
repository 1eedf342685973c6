CREATE DATABASE default_database;
